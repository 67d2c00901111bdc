import type { SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { groupBy } from '../group-by';
import { type UpgradeView, upgradeView } from './view';

/** An operation with what is counted from its sandboxes. */
export interface Upgrade {
  /** `goneAt`: when it was noticed to be deleted, epoch ms; all the rest is what was known last. */
  op: UpgradeRow & { goneAt?: number };
  view: UpgradeView;
}

/** `now` is the server's clock, epoch ms. */
export function upgradeViews(ops: readonly UpgradeRow[], sandboxes: readonly SandboxRow[], now: number): Upgrade[] {
  if (ops.length === 0) return [];
  const byNamespace = groupBy(ops, ({ ns }) => ns);
  const adopted = groupBy(
    sandboxes.filter(({ op }) => op !== undefined),
    ({ ns, op }) => `${ns}/${op}`,
  );
  return ops.map((op) => ({
    op,
    view: upgradeView(op, byNamespace.get(op.ns) ?? [], adopted.get(`${op.ns}/${op.name}`) ?? [], now),
  }));
}
