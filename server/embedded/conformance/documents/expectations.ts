/** What earlier steps kept, by name. */
export type Kept = ReadonlyMap<string, string>;

/** What is wrong with what was printed, a line each; nothing when it is as it should be. */
export type Expectation = (stdout: string, kept: Kept) => string[];

/** A text, in which `$name` stands for what an earlier step kept, or a pattern of the whole. */
export type Wanted = string | RegExp;

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Fills in what earlier steps kept. */
export const filled = (text: string, kept: Kept): string =>
  text.replace(/\$(\w+)/g, (whole, name: string) => kept.get(name) ?? whole);

const isWanted = (text: string, wanted: Wanted, kept: Kept): boolean =>
  typeof wanted === 'string' ? text === filled(wanted, kept) : wanted.test(text);

/** These lines and no others. */
export const lines =
  (...wanted: Wanted[]): Expectation =>
  (stdout, kept) => {
    const seen = linesOf(stdout);
    const wrong =
      seen.length !== wanted.length || seen.some((line, i) => !isWanted(line.trim(), wanted[i] ?? '', kept));
    return wrong ? [`expected ${said(wanted, kept)}`, `got ${JSON.stringify(seen)}`] : [];
  };

/** So many lines, each like this. */
export const everyLine =
  (count: number, wanted: Wanted): Expectation =>
  (stdout, kept) =>
    lines(...Array<Wanted>(count).fill(wanted))(stdout, kept);

/** Among the lines are these. */
export const someLines =
  (...wanted: Wanted[]): Expectation =>
  (stdout, kept) => {
    const seen = linesOf(stdout).map((line) => line.trim());
    const missing = wanted.filter((one) => !seen.some((line) => isWanted(line, one, kept)));
    return missing.length === 0 ? [] : [`missing ${said(missing, kept)}`, `got ${JSON.stringify(seen)}`];
  };

/** A table with exactly these columns; the cells of each row in their order, '' for an empty one. */
export const table =
  (columns: string, ...rows: Wanted[][]): Expectation =>
  (stdout, kept) => {
    const [head = '', ...body] = linesOf(stdout);
    const starts = [...head.matchAll(/\S+/g)].map(({ index }) => index);
    const cells = body.map((line) => starts.map((start, i) => line.slice(start, starts[i + 1]).trim()));
    const wrong = head.trim().split(/\s+/).join(' ') === columns ? [] : [`columns ${head.trim()}, expected ${columns}`];
    if (body.length !== rows.length) wrong.push(`${body.length} rows, expected ${rows.length}`);
    rows.forEach((row, i) => {
      const line = cells[i] ?? [];
      if (row.some((wanted, at) => !isWanted(line[at] ?? '', wanted, kept))) {
        wrong.push(`row ${JSON.stringify(line)}, expected ${said(row, kept)}`);
      }
    });
    return wrong;
  };

/**
 * Rows of numbers that a watch printed, without a head and `<none>` for 0: of each something holds, and the last is `last`.
 * `rule` is the sentence for it.
 */
export const rowsUntil = (
  last: readonly number[],
  rule: string,
  holds: (row: readonly number[]) => boolean,
): { expect: Expectation; until: (stdout: string) => boolean } => {
  const rowsOf = (stdout: string) =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => line.trim().split(/\s+/))
      .map((row) => row.map((cell) => (cell === '<none>' ? 0 : Number(cell))));
  const isLast = (row: readonly number[]) => row.length === last.length && row.every((cell, i) => cell === last[i]);
  return {
    expect: (stdout) => {
      const rows = rowsOf(stdout);
      const broken = rows.filter((row) => !holds(row)).map((row) => `not so in ${row.join(' ')}: ${rule}`);
      const end = rows.at(-1);
      return end !== undefined && isLast(end)
        ? broken
        : [...broken, `ended with ${end?.join(' ')}, not ${last.join(' ')}`];
    },
    until: (stdout) => rowsOf(stdout).some(isLast),
  };
};

const said = (wanted: readonly Wanted[], kept: Kept): string =>
  `[${wanted.map((one) => (typeof one === 'string' ? JSON.stringify(filled(one, kept)) : String(one))).join(',')}]`;
