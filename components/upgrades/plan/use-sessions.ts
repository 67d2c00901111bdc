import { useMemo } from 'react';
import type { UpgradeTarget } from '@/lib/contracts/upgrade-preview';
import { useRows } from '@/lib/live';
import { sessionName, shortOwner } from '../../sandboxes/session-name';

/** Who uses a sandbox, as the other lists call it: a claim's name says more than the uid that it is owned by. */
export function useSessions(): (target: Pick<UpgradeTarget, 'uid' | 'owner'>) => string | undefined {
  const rows = useRows('sandboxes');
  return useMemo(() => {
    const names = new Map(rows.map((row) => [row.uid, sessionName(row)]));
    return ({ uid, owner }) => names.get(uid) ?? (owner === undefined ? undefined : shortOwner(owner));
  }, [rows]);
}
