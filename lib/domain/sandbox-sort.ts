import { displayStates, type SandboxRow } from '@/lib/contracts/rows';
import { dwellOf, overdueBy } from './severity';

export const sandboxSortKeys = [
  'overdue',
  'dwell',
  'state',
  'name',
  'namespace',
  'pool',
  'owner',
  'claimedAt',
  'node',
  'shutdownAt',
  'pauseAt',
  'restarts',
  'created',
] as const;
export type SandboxSortKey = (typeof sandboxSortKeys)[number];
export interface SandboxSort {
  by: SandboxSortKey;
  descending: boolean;
}

/** A new array. What has no value comes last in either direction; equal ones are ordered by name, so rows do not jump. */
export function sortSandboxes(rows: readonly SandboxRow[], { by, descending }: SandboxSort, now: number): SandboxRow[] {
  const keyed = rows.map((row) => ({ row, value: sortValue(row, by, now) }));
  const sign = descending ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.value !== b.value) {
      if (a.value === undefined) return 1;
      if (b.value === undefined) return -1;
      return a.value < b.value ? -sign : sign;
    }
    return byName(a.row, b.row);
  });
  return keyed.map(({ row }) => row);
}

function byName(a: SandboxRow, b: SandboxRow): number {
  if (a.ns !== b.ns) return a.ns < b.ns ? -1 : 1;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.uid < b.uid ? -1 : 1;
}

const stateOrder = new Map(displayStates.map((state, index) => [state, index]));

function sortValue(row: SandboxRow, by: SandboxSortKey, now: number): string | number | undefined {
  switch (by) {
    case 'overdue':
      return overdueBy(row, now)?.ratio;
    case 'dwell':
      return dwellOf(row, now).ms;
    case 'state':
      return stateOrder.get(row.state);
    case 'namespace':
      return row.ns;
    case 'name':
    case 'pool':
    case 'owner':
    case 'claimedAt':
    case 'node':
    case 'shutdownAt':
    case 'pauseAt':
    case 'restarts':
    case 'created':
      return row[by];
  }
}
