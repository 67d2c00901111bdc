import { readLines } from '../../streams';
import type { Program, Run } from '../state';
import { eachInput, inside, raw, sayRaw } from './io';
import { readOptions, UsageError } from './options';

/** `1,3-5,7-` as a test of numbers from 1. */
function ranges(run: Run, text: string): (number: number) => boolean {
  const parts = text.split(',').map((part) => /^(\d*)(-?)(\d*)$/.exec(part));
  if (parts.some((part) => !part || part[0] === '' || part[0] === '-'))
    throw new UsageError(`${run.name}: invalid field value '${text}'`);
  return (number) =>
    parts.some((part) => {
      const from = Number(part?.[1] || 1);
      const to = part?.[2] ? Number(part[3] || Number.POSITIVE_INFINITY) : from;
      return number >= from && number <= to;
    });
}

const cut: Program = async (run) => {
  const { rest, has, value } = readOptions(run, 'd:f:c:b:s', {
    delimiter: 'd',
    fields: 'f',
    characters: 'c',
    bytes: 'b',
  });
  const list = value('f') ?? value('c') ?? value('b');
  if (list === undefined) throw new UsageError(`${run.name}: you must specify a list of bytes, characters, or fields`);
  const wanted = ranges(run, list);
  const delimiter = raw(value('d') ?? '\t');
  return eachInput(run, rest, async (source) => {
    for await (const whole of readLines(source)) {
      const line = whole.replace(/\n$/, '');
      if (value('f') === undefined) {
        await sayRaw(run, `${[...line].filter((_, at) => wanted(at + 1)).join('')}\n`);
        continue;
      }
      const fields = line.split(delimiter);
      if (fields.length === 1 && has('s')) continue;
      await sayRaw(run, `${fields.length === 1 ? line : fields.filter((_, at) => wanted(at + 1)).join(delimiter)}\n`);
    }
  });
};

/** `a-z\n[:digit:]` as the characters that it stands for. */
function characters(text: string): string {
  return raw(text)
    .replace(
      /\[:(\w+):\]/g,
      (_, name: string) =>
        ({ upper: 'A-Z', lower: 'a-z', digit: '0-9', alpha: 'A-Za-z', alnum: '0-9A-Za-z', space: ' \\t\\n\\r\\f\\v' })[
          name
        ] ?? '',
    )
    .replace(/\\([ntrfv\\])/g, (_, letter: string) => ({ n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' })[letter] ?? '\\')
    .replace(/(.)-(.)/gs, (_, from: string, to: string) => {
      const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
      return Array.from({ length: Math.max(0, last - first + 1) }, (_item, at) => String.fromCharCode(first + at)).join(
        '',
      );
    });
}

const tr: Program = async (run) => {
  const { rest, has } = readOptions(run, 'dsc', { delete: 'd', 'squeeze-repeats': 's', complement: 'c' });
  const [first, second] = rest;
  if (first === undefined || (second === undefined && !has('d') && !has('s')))
    throw new UsageError(`${run.name}: missing operand`);
  const every = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');
  const named = characters(first);
  const from = has('c') ? [...every].filter((char) => !named.includes(char)).join('') : named;
  const to = characters(second ?? '');
  const squeezed = has('s') ? (second === undefined || has('d') ? to || from : to) : '';
  let last = '';
  for (let chunk = await run.stdin.read(); chunk; chunk = await run.stdin.read()) {
    let result = '';
    for (const char of Buffer.from(chunk).toString('latin1')) {
      const at = from.indexOf(char);
      if (at >= 0 && has('d')) continue;
      const changed = at < 0 || second === undefined ? char : (to[Math.min(at, to.length - 1)] ?? char);
      if (changed === last && squeezed.includes(changed)) continue;
      last = changed;
      result += changed;
    }
    await sayRaw(run, result);
  }
  return 0;
};

const tee: Program = async (run) => {
  const { rest, has } = readOptions(run, 'ai', { append: 'a' });
  const files = [];
  for (const name of rest)
    files.push(await run.machine.folder.openWrite(inside(run, name), has('a') ? 'a' : 'w', run.user));
  try {
    for (let chunk = await run.stdin.read(); chunk; chunk = await run.stdin.read()) {
      for (const sink of [run.stdout, ...files]) await sink.write(chunk);
    }
  } finally {
    for (const file of files) await file.close();
  }
  return 0;
};

export const CHARACTER_PROGRAMS: Record<string, Program> = { cut, tee, tr };
