import type { NodeRow, PoolRow, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';

export type Hits<Row> = { rows: Row[]; more: number };

/**
 * Rows in which every word of the query stands somewhere, whole names first, then beginnings, then the rest;
 * at most `limit`, with the number left out. An empty query finds nothing.
 */
export function findRows<Row>(
  rows: readonly Row[],
  query: string,
  textsOf: (row: Row) => readonly (string | undefined)[],
  limit: number,
): Hits<Row> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) return { rows: [], more: 0 };
  const ranked: { row: Row; rank: number; name: string }[] = [];
  for (const row of rows) {
    const texts = textsOf(row).flatMap((text) => (text === undefined ? [] : [text.toLowerCase()]));
    if (!words.every((word) => texts.some((text) => text.includes(word)))) continue;
    const rank = texts.includes(first) ? 0 : texts.some((text) => text.startsWith(first)) ? 1 : 2;
    ranked.push({ row, rank, name: texts[0] ?? '' });
  }
  ranked.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { rows: ranked.slice(0, limit).map(({ row }) => row), more: Math.max(0, ranked.length - limit) };
}

/** `namespace--name` is the older form of an id; an opaque id is never taken apart. */
export const sandboxTexts = (row: SandboxRow) => [
  row.name,
  row.id,
  row.owner,
  row.claimName,
  row.ns,
  row.ip,
  `${row.ns}--${row.name}`,
];
export const poolTexts = (row: PoolRow) => [row.name, row.ns];
export const upgradeTexts = (row: UpgradeRow) => [row.name, row.ns];
export const nodeTexts = (row: NodeRow) => [row.name];
