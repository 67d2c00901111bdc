import type { SandboxRow } from '@/lib/contracts/rows';

/** Labels that rows carry the values of (domain 2.1), with the rows' fields they stand in. */
const known: Record<string, (row: SandboxRow) => string | undefined> = {
  'agents.kruise.io/sandbox-pool': ({ pool }) => pool,
  'agents.kruise.io/sandbox-claimed': ({ claimed, idle }) => (claimed ? 'true' : idle ? 'false' : undefined),
  'agents.kruise.io/claim-name': ({ claimName }) => claimName,
  'agents.kruise.io/template-hash': ({ hash }) => hash,
  'agents.kruise.io/sandbox-id': ({ id }) => id,
  'agents.kruise.io/update-ops': ({ op }) => op,
  'agents.kruise.io/upgrade-failed': ({ upFailed }) => (upFailed ? 'true' : undefined),
};

/** Values by label key, the most frequent first, at most a hundred of each. */
export type LabelSuggestions = ReadonlyMap<string, readonly string[]>;

/** @param extra labels known from elsewhere, such as the templates of the pools */
export function labelSuggestions(
  rows: readonly SandboxRow[],
  namespace: string,
  extra: readonly (readonly [key: string, value: string])[],
): LabelSuggestions {
  const counts = new Map<string, Map<string, number>>();
  const count = (key: string, value: string, by: number) => {
    const values = counts.get(key) ?? new Map<string, number>();
    values.set(value, (values.get(value) ?? 0) + by);
    counts.set(key, values);
  };
  for (const row of rows) {
    if (row.ns !== namespace) continue;
    for (const [key, read] of Object.entries(known)) {
      const value = read(row);
      if (value !== undefined) count(key, value, 1);
    }
  }
  for (const [key, value] of extra) count(key, value, 0);
  return new Map(
    [...counts].map(([key, values]) => [
      key,
      [...values]
        .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
        .slice(0, 100)
        .map(([value]) => value),
    ]),
  );
}
