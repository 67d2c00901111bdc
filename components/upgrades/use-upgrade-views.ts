import { useMemo } from 'react';
import type { SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { type UpgradeView, upgradeView } from '@/lib/domain/upgrades';
import { useNow, useRows } from '@/lib/live';

export type Upgrade = { op: UpgradeRow; view: UpgradeView };

export function useUpgrades(): Upgrade[] {
  const ops = useRows('sandboxupdateops');
  const sandboxes = useRows('sandboxes');
  const now = useNow(5_000);
  return useMemo(() => {
    const adopted = new Map<string, SandboxRow[]>();
    for (const row of sandboxes) {
      if (row.op === undefined) continue;
      const key = `${row.ns}/${row.op}`;
      const list = adopted.get(key);
      if (list) list.push(row);
      else adopted.set(key, [row]);
    }
    return ops.map((op) => ({
      op,
      view: upgradeView(
        op,
        ops.filter(({ ns }) => ns === op.ns),
        adopted.get(`${op.ns}/${op.name}`) ?? [],
        now,
      ),
    }));
  }, [ops, sandboxes, now]);
}
