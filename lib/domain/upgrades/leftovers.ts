import type { SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import type { LeftoverKind } from '@/lib/contracts/upgrade-leftovers';
import { groupBy } from '../group-by';
import { heldUpBy } from './held-up';
import { sandboxStage } from './stages';
import { isActive } from './view';

export interface Leftover {
  row: SandboxRow;
  kinds: LeftoverKind[];
}

/**
 * What ended operations left on sandboxes: the upgrade policy, by which the next edit of the template replaces the Pod (T44,
 * T56), their hooks, and the label of a failure that is over (T13). A sandbox in Upgrading needs its policy and its hooks to
 * get to the end of it. The selection label is in no row: whoever reads whole objects finds it.
 */
export function leftoversOf(rows: readonly SandboxRow[], operations: readonly UpgradeRow[]): Leftover[] {
  const known = new Map(operations.map((op) => [`${op.ns}/${op.name}`, op]));
  return rows.flatMap((row) => {
    const op = row.op === undefined ? undefined : known.get(`${row.ns}/${row.op}`);
    if (op && isActive(op)) return [];
    if (row.deleting !== undefined) return [];
    const kinds: LeftoverKind[] = [];
    if (row.policy !== undefined && row.state !== 'Upgrading') kinds.push('upgradePolicy');
    if (row.hooks && row.state !== 'Upgrading' && hooksAreOf(op, row)) kinds.push('hooks');
    if (row.upFailed && !(row.state === 'Upgrading' && row.stage?.endsWith('Failed'))) kinds.push('failedLabel');
    return kinds.length === 0 ? [] : [{ row, kinds }];
  });
}

/**
 * Adoption replaces spec.lifecycle with the operation's, or takes it away, in one patch with the policy (domain 6.5); success
 * clears the policy alone (recorded `hook-success`). Without a trace of an operation they may be the sandbox's own.
 */
const hooksAreOf = (op: UpgradeRow | undefined, row: SandboxRow): boolean =>
  op ? op.hooks !== undefined && op.hooks.length > 0 : row.policy !== undefined;

/**
 * By namespace, sandboxes that stand in an upgrade whose operation is gone: they failed or are held up, and nothing goes on with
 * them but another operation (domain 6.6). Those of an operation that is still there are found by it; one that hangs in Resuming is
 * helped by none (T2).
 */
export function hangingByNamespace(
  rows: readonly SandboxRow[],
  operations: readonly UpgradeRow[],
  now: number,
): Map<string, SandboxRow[]> {
  const known = new Set(operations.map((op) => `${op.ns}/${op.name}`));
  const hanging = rows.filter((row) => {
    if (row.state !== 'Upgrading' || (row.op !== undefined && known.has(`${row.ns}/${row.op}`))) return false;
    const stage = sandboxStage(row);
    if (stage.stage === 'Resuming') return false;
    return stage.failed || heldUpBy({}, { row, ...stage }, now) !== undefined;
  });
  return groupBy(hanging, ({ ns }) => ns);
}
