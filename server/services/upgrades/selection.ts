import 'server-only';
import { selectionLabel, type UpgradeDraft } from '@/lib/contracts/upgrades';
import type { SandboxReading } from '@/lib/domain/upgrades/sandbox-reading';
import { inParallel } from '../../parallel';
import { fieldManager, type ServiceContext } from '../context';
import { objectPath, type Right, refusedByCluster } from '../gate';
import { ok, type Result } from '../result';

const right = { verb: 'patch', resource: 'sandboxes' } as const satisfies Right;
const atOnce = 8;
/** A dry run asks for so many only: what refuses a label is the right to patch, or a rule for all of them. */
const asked = 8;

/**
 * Puts the label on the chosen sandboxes by which the operation selects them. What fails half way leaves the label on some:
 * it selects nothing until there is an operation of that name, the next try finds it in place, and it can be cleaned away.
 */
export async function markSelection(
  ctx: ServiceContext,
  { namespace, name }: Pick<UpgradeDraft, 'namespace' | 'name'>,
  readings: ReadonlyMap<string, SandboxReading>,
  dryRun: boolean,
): Promise<Result<void>> {
  const unmarked = [...readings.values()].filter(({ labels }) => labels[selectionLabel] !== name);
  const phase = { sent: false };
  try {
    await inParallel(atOnce, dryRun ? unmarked.slice(0, asked) : unmarked, async (sandbox) => {
      phase.sent = !dryRun;
      await ctx.cluster.client.request({
        method: 'PATCH',
        path: objectPath('sandboxes', { namespace, name: sandbox.name }),
        query: { fieldManager, ...(dryRun ? { dryRun: 'All' } : {}) },
        // Merged, it spares labels that others put there meanwhile; the uid keeps it off another object of the name.
        contentType: 'application/merge-patch+json',
        body: { metadata: { uid: sandbox.uid, labels: { [selectionLabel]: name } } },
        as: ctx.principal,
      });
    });
    return ok(undefined);
  } catch (error) {
    return refusedByCluster(error, ctx, namespace, right, phase);
  }
}
