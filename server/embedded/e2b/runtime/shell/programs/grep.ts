import { readLineBatches } from '../../streams';
import { matchAll } from '../pattern';
import type { Program } from '../state';
import { count, eachInput, raw, sayRaw } from './io';
import { readOptions, UsageError } from './options';

/** A basic regular expression as one of JavaScript: `\(`, `\|`, `\+` mean what `(`, `|`, `+` do in an extended one. */
function basicPattern(pattern: string): string {
  return pattern.replace(/\\([(){}|+?])|[(){}|+?]/g, (found, escaped?: string) => escaped ?? `\\${found}`);
}

const CLASSES: Record<string, string> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  punct: '!-/:-@\\[-`{-~',
};

export const grep: Program = async (run) => {
  const long = {
    'ignore-case': 'i',
    'invert-match': 'v',
    count: 'c',
    'line-number': 'n',
    quiet: 'q',
    recursive: 'r',
    'fixed-strings': 'F',
    'extended-regexp': 'E',
    'only-matching': 'o',
    'max-count': 'm',
  };
  const { rest, has, value } = readOptions(run, 'ivcnqrRFEowxlhHsm:e:', long, 2);
  if (has('r') || has('R') || has('o'))
    throw new UsageError(`${run.name}: -${has('o') ? 'o' : 'r'} is not available in this sandbox`, 2);
  const pattern = value('e') ?? rest.shift();
  if (pattern === undefined) throw new UsageError(`Usage: ${run.name} [OPTION]... PATTERNS [FILE]...`, 2);
  const isFixed = has('F') || run.name === 'fgrep';
  const isExtended = has('E') || run.name === 'egrep';
  let source = isFixed
    ? raw(pattern).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    : isExtended
      ? raw(pattern)
      : basicPattern(raw(pattern));
  source = source.replace(/\[:(\w+):\]/g, (_, name: string) => CLASSES[name] ?? '');
  if (has('w')) source = `\\b(?:${source})\\b`;
  source = has('x') ? `^(?:${source})$` : source;
  const withNames = (rest.length > 1 || has('H')) && !has('h');
  const most = value('m') === undefined ? Number.POSITIVE_INFINITY : count(run, value('m') ?? '', 'lines');
  let any = false;
  const status = await eachInput(
    run,
    rest,
    async (input, name) => {
      let found = 0;
      let number = 0;
      const prefix = withNames ? `${raw(name === '-' ? '(standard input)' : name)}:` : '';
      for await (const lines of readLineBatches(input)) {
        const fits = matchAll(
          source,
          has('i') ? 'i' : '',
          lines.map((line) => line.replace(/\n$/, '')),
        );
        for (const [at, line] of lines.entries()) {
          number += 1;
          if (fits[at] === has('v') || found >= most) continue;
          found += 1;
          any = true;
          if (has('q') || has('c') || has('l')) continue;
          await sayRaw(run, `${prefix}${has('n') ? `${number}:` : ''}${line.endsWith('\n') ? line : `${line}\n`}`);
        }
        if (any && has('q')) return;
      }
      if (has('c')) await sayRaw(run, `${prefix}${found}\n`);
      if (has('l') && found > 0) await sayRaw(run, `${raw(name)}\n`);
    },
    2,
  );
  if (status !== 0) return status;
  return any ? 0 : 1;
};
