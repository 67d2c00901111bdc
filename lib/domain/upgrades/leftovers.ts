import type { SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import type { LeftoverKind } from '@/lib/contracts/upgrades';
import { isActive } from './view';

export interface Leftover {
  row: SandboxRow;
  kinds: LeftoverKind[];
}

/**
 * What ended operations left on sandboxes: the upgrade policy, by which the next edit of the template replaces the Pod (T44,
 * T56), and the label of a failure that is over (T13). A sandbox in Upgrading needs its policy to get to the end of it.
 * The selection label is in no row: whoever reads whole objects finds it.
 */
export function leftoversOf(rows: readonly SandboxRow[], operations: readonly UpgradeRow[]): Leftover[] {
  const active = new Set(operations.filter(isActive).map(({ ns, name }) => `${ns}/${name}`));
  return rows.flatMap((row) => {
    if (row.op !== undefined && active.has(`${row.ns}/${row.op}`)) return [];
    if (row.deleting !== undefined) return [];
    const kinds: LeftoverKind[] = [];
    if (row.policy !== undefined && row.state !== 'Upgrading') kinds.push('upgradePolicy');
    if (row.upFailed && !(row.state === 'Upgrading' && row.stage?.endsWith('Failed'))) kinds.push('failedLabel');
    return kinds.length === 0 ? [] : [{ row, kinds }];
  });
}
