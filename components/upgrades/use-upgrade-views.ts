import { useMemo } from 'react';
import { type Upgrade, upgradeViews } from '@/lib/domain/upgrades/views';
import { useNow, useRows } from '@/lib/live';

/** Every operation of the scope with its counts, read again every five seconds for what time changes. */
export function useUpgrades(): Upgrade[] {
  const ops = useRows('sandboxupdateops');
  const sandboxes = useRows('sandboxes');
  const now = useNow(5_000);
  return useMemo(() => upgradeViews(ops, sandboxes, now), [ops, sandboxes, now]);
}
