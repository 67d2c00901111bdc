import { LIMITS } from '../../limits';
import { readAll, readLines } from '../../streams';
import type { Program, Run } from '../state';
import { count, eachInput, raw, sayRaw } from './io';
import { readOptions, UsageError } from './options';

/** `-5` is `-n 5` for head and tail. */
const withCount = (run: Run): Run => ({
  ...run,
  args: run.args.map((arg) => (/^-\d+$/.test(arg) ? `-n${arg.slice(1)}` : arg)),
});

const heading = (names: readonly string[], name: string, first: boolean) =>
  names.length > 1 ? `${first ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n` : '';

const head: Program = async (plain) => {
  const run = withCount(plain);
  const { rest, value } = readOptions(run, 'n:c:q', { lines: 'n', bytes: 'c' });
  const bytes = value('c') === undefined ? undefined : count(run, value('c') ?? '', 'bytes');
  const lines = count(run, value('n') ?? '10', 'lines');
  if (lines < 0 || (bytes ?? 0) < 0)
    throw new UsageError(`${run.name}: a count from the end is not available in this sandbox`);
  let first = true;
  return eachInput(run, rest, async (source, name) => {
    await sayRaw(run, heading(rest, name, first));
    first = false;
    if (bytes !== undefined) {
      let left = bytes;
      while (left > 0) {
        const chunk = await source.read();
        if (!chunk) break;
        await run.stdout.write(chunk.subarray(0, left));
        left -= chunk.length;
      }
      return;
    }
    let left = lines;
    if (left === 0) return;
    for await (const line of readLines(source)) {
      await sayRaw(run, line);
      left -= 1;
      if (left === 0) break;
    }
  });
};

const tail: Program = async (plain) => {
  const run = withCount(plain);
  const { rest, value } = readOptions(run, 'n:c:q', { lines: 'n', bytes: 'c' });
  let first = true;
  return eachInput(run, rest, async (source, name) => {
    await sayRaw(run, heading(rest, name, first));
    first = false;
    if (value('c') !== undefined) {
      const all = await readAll(source);
      const bytes = count(run, value('c') ?? '', 'bytes');
      await run.stdout.write(
        value('c')?.startsWith('+') ? all.subarray(bytes - 1) : all.subarray(Math.max(0, all.length - Math.abs(bytes))),
      );
      return;
    }
    const text = value('n') ?? '10';
    const lines = Math.abs(count(run, text, 'lines'));
    const kept: string[] = [];
    let held = 0;
    let number = 0;
    for await (const line of readLines(source)) {
      number += 1;
      if (text.startsWith('+')) {
        if (number >= lines) await sayRaw(run, line);
        continue;
      }
      kept.push(line);
      held += line.length;
      if (kept.length > lines) held -= kept.shift()?.length ?? 0;
      if (held > LIMITS.heldBytes) throw new RangeError('memory exhausted');
    }
    await sayRaw(run, kept.join(''));
  });
};

const wc: Program = async (run) => {
  const { rest, has } = readOptions(run, 'lwcm', { lines: 'l', words: 'w', bytes: 'c', chars: 'm' });
  const all = !['l', 'w', 'c', 'm'].some(has);
  const totals = [0, 0, 0, 0];
  const rows: { counts: number[]; name: string }[] = [];
  const status = await eachInput(run, rest, async (source, name) => {
    let [lines, words, chars, bytes] = [0, 0, 0, 0];
    let inWord = false;
    for (let chunk = await source.read(); chunk; chunk = await source.read()) {
      bytes += chunk.length;
      for (const byte of chunk) {
        if (byte === 10) lines += 1;
        const isSpace = byte === 32 || (byte >= 9 && byte <= 13);
        if (!isSpace && !inWord) words += 1;
        inWord = !isSpace;
        // Bytes that continue a character do not count as one.
        if ((byte & 0xc0) !== 0x80) chars += 1;
      }
    }
    const counts = [lines, words, chars, bytes];
    counts.forEach((value, at) => {
      totals[at] = (totals[at] ?? 0) + value;
    });
    rows.push({ counts, name });
  });
  if (rest.length > 1) rows.push({ counts: totals, name: 'total' });
  const columns = [has('l') || all, has('w') || all, has('m'), has('c') || all];
  const single = columns.filter(Boolean).length === 1 && rows.length === 1;
  const width = single ? 0 : rest.length === 0 ? 7 : String(Math.max(...totals)).length;
  for (const { counts, name } of rows) {
    const shown = counts.filter((_, at) => columns[at]).map((value) => String(value).padStart(width));
    await sayRaw(run, `${[...shown, ...(name === '-' ? [] : [raw(name)])].join(' ')}\n`);
  }
  return status;
};

export const LINE_PROGRAMS: Record<string, Program> = { head, tail, wc };
