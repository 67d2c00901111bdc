import { LIMITS } from '../../limits';
import { readLines } from '../../streams';
import type { Program, Run } from '../state';
import { eachInput, sayRaw } from './io';
import { readOptions, UsageError } from './options';

async function allLines(run: Run, names: readonly string[]): Promise<{ lines: string[]; status: number }> {
  const lines: string[] = [];
  let held = 0;
  const status = await eachInput(
    run,
    names,
    async (source) => {
      for await (const line of readLines(source)) {
        held += line.length;
        if (held > LIMITS.heldBytes) throw new RangeError('memory exhausted');
        lines.push(line.replace(/\n$/, ''));
      }
    },
    2,
  );
  return { lines, status };
}

const sort: Program = async (run) => {
  const { rest, has, value } = readOptions(run, 'rnufk:t:', { reverse: 'r', 'numeric-sort': 'n', unique: 'u' }, 2);
  const key = value('k') === undefined ? undefined : /^(\d+)(?:,(\d+))?([nr]*)$/.exec(value('k') ?? '');
  if (key === null) throw new UsageError(`${run.name}: -k ${value('k')} is not available in this sandbox`, 2);
  const { lines, status } = await allLines(run, rest);
  const separator = value('t');
  const keyOf = (line: string): string => {
    const fields = separator === undefined ? line.trim().split(/[ \t]+/) : line.split(separator);
    const text = key
      ? fields.slice(Number(key[1]) - 1, key[2] ? Number(key[2]) : undefined).join(separator ?? ' ')
      : line;
    return has('f') ? text.toUpperCase() : text;
  };
  const isNumeric = has('n') || key?.[3]?.includes('n');
  const numberOf = (text: string) => Number.parseFloat(text) || 0;
  const order = (a: string, b: string): number => {
    const [x, y] = [keyOf(a), keyOf(b)];
    const byKey = isNumeric ? numberOf(x) - numberOf(y) : 0;
    return byKey || (x < y ? -1 : x > y ? 1 : a < b ? -1 : a > b ? 1 : 0);
  };
  lines.sort(order);
  if (has('r') || key?.[3]?.includes('r')) lines.reverse();
  const shown = has('u') ? lines.filter((line, at) => at === 0 || keyOf(line) !== keyOf(lines[at - 1] ?? '')) : lines;
  await sayRaw(run, shown.map((line) => `${line}\n`).join(''));
  return status;
};

const uniq: Program = async (run) => {
  const { rest, has } = readOptions(run, 'cdu', { count: 'c' });
  const { lines, status } = await allLines(run, rest);
  for (let from = 0, to = 0; from < lines.length; from = to) {
    while (to < lines.length && lines[to] === lines[from]) to += 1;
    if ((has('d') && to - from === 1) || (has('u') && to - from > 1)) continue;
    await sayRaw(run, `${has('c') ? `${String(to - from).padStart(7)} ` : ''}${lines[from]}\n`);
  }
  return status;
};

export const SORTING_PROGRAMS: Record<string, Program> = { sort, uniq };
