import { useMemo, useState } from 'react';
import type { SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { type Upgrade, upgradeViews } from '@/lib/domain/upgrades/views';
import { useNow, useRows } from '@/lib/live';
import { type Kept, useKept } from '../sandboxes/use-kept-row';
import { useHeld } from './use-held';

/** The operation of a name as it is; of one that was deleted since, all that was known last, which does not go on. */
export function useOperation(ns: string, name: string) {
  const kept: Kept<'sandboxupdateops'> = useKept('sandboxupdateops', ns, name);
  const { row, goneAt } = kept;
  const ops = useRows('sandboxupdateops');
  const now = useNow(5_000);
  const sandboxes = useLastKnown(row, useRows('sandboxes'), now);
  const live = useMemo(() => {
    if (!row) return undefined;
    const others = ops.filter((op) => op.ns === row.ns && op.uid !== row.uid);
    return upgradeViews([row, ...others], sandboxes, now)[0];
  }, [row, ops, sandboxes, now]);
  const held = useHeld(live, goneAt !== undefined);
  const upgrade = useMemo<Upgrade | undefined>(
    () => (held && goneAt !== undefined ? { ...held, op: { ...held.op, goneAt } } : held),
    [held, goneAt],
  );
  return { kept, upgrade };
}

/** Within this time the deletion that a lost label tells of is seen, too. */
const deletionSeenMs = 10_000;

/**
 * The sandboxes of an operation. When it is deleted, the controller takes its label off them one by one before the object
 * goes: those that have lost it meanwhile are as they were with it. Two watches tell of that, in any order.
 */
function useLastKnown(
  op: UpgradeRow | undefined,
  sandboxes: readonly SandboxRow[],
  now: number,
): readonly SandboxRow[] {
  const mine = useMemo(
    () => (op ? sandboxes.filter((row) => row.op === op.name && row.ns === op.ns) : []),
    [op, sandboxes],
  );
  const [held, setHeld] = useState<{ uid: string | undefined; rows: readonly SandboxRow[]; lostAt?: number }>({
    uid: op?.uid,
    rows: mine,
  });
  const isSame = held.uid === op?.uid;
  const isReleased = isSame && op?.deleting === undefined && hasReleased(held.rows, sandboxes);
  const lostAt = isReleased ? (held.lostAt ?? now) : undefined;
  const holds = op?.deleting !== undefined || (lostAt !== undefined && now - lostAt < deletionSeenMs);
  const rows = isSame && holds ? withLost(mine, held.rows) : mine;
  if (
    isSame &&
    lostAt === held.lostAt &&
    rows.length === held.rows.length &&
    rows.every((row, index) => row === held.rows[index])
  ) {
    return held.rows;
  }
  setHeld({ uid: op?.uid, rows, ...(lostAt === undefined ? {} : { lostAt }) });
  return rows;
}

function withLost(mine: readonly SandboxRow[], held: readonly SandboxRow[]): SandboxRow[] {
  const uids = new Set(mine.map(({ uid }) => uid));
  return [...mine, ...held.filter(({ uid }) => !uids.has(uid))];
}

/** One of them has no operation any more, and is still there. */
function hasReleased(held: readonly SandboxRow[], sandboxes: readonly SandboxRow[]): boolean {
  const uids = new Set(held.map(({ uid }) => uid));
  return held.length > 0 && sandboxes.some(({ uid, op }) => op === undefined && uids.has(uid));
}
