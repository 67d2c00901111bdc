import type { PoolRow, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { attentionOf } from './attention';
import { standardLimits } from './limits';
import { poolViews } from './pool-views';
import { upgradeViews } from './upgrades/views';

/** Rows for tests, with what a test does not care about filled in. `now` is the moment they are judged at. */
export const now = Date.parse('2026-11-03T08:00:00Z');

let count = 0;

export function sandbox(fields: Partial<SandboxRow> = {}): SandboxRow {
  count++;
  return {
    uid: `uid-${count}`,
    ns: 'agents',
    name: `box-${count}`,
    phase: 'Running',
    state: 'Running',
    sinceFrom: fields.since === undefined ? 'unknown' : 'condition',
    ...fields,
  };
}

export function member(fields: Partial<SandboxRow> = {}): SandboxRow {
  return sandbox({ pool: 'web', idle: true, state: 'Available', hash: 'new', ready: true, ...fields });
}

export function pool(fields: Partial<PoolRow> = {}): PoolRow {
  return { uid: 'pool', ns: 'agents', name: 'web', gen: 4, obs: 4, desired: 3, revision: 'new', images: [], ...fields };
}

export function upgrade(fields: Partial<UpgradeRow> = {}): UpgradeRow {
  return {
    uid: `up-${fields.name ?? 'up'}`,
    ns: 'agents',
    name: 'up',
    phase: 'Updating',
    strategy: 'Recreate',
    selector: '',
    hasPatch: true,
    taken: true,
    ...fields,
  };
}

export function seconds(value: number): number {
  return value * 1000;
}

/** The start of a state that has lasted for so many seconds. */
export function ago(value: number): number {
  return now - seconds(value);
}

/** What the Overview lists of these rows. */
export function attention(
  rows: { sandboxes?: readonly SandboxRow[]; pools?: readonly PoolRow[]; upgrades?: readonly UpgradeRow[] },
  at = now,
) {
  const { sandboxes = [], pools = [], upgrades = [] } = rows;
  const views = {
    pools: poolViews(pools, sandboxes, at, standardLimits),
    upgrades: upgradeViews(upgrades, sandboxes, at),
  };
  return attentionOf({ sandboxes, ...views }, at, standardLimits);
}
