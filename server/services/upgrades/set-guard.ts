import 'server-only';
import type { SetGuardReply, SetGuardRequest } from '@/lib/contracts/upgrade-writes';
import { KubeError } from '@/server/kube/errors';
import { mayWrite, type ObjectName, refusedByCluster } from '../gate';
import { ok, type Result, refuse } from '../result';
import { readUpgrade, upgrades } from './live-upgrade';
import { refusedByHistory, type UpgradeContext } from './upgrade-context';

const right = { verb: 'patch', resource: upgrades } as const;

/**
 * Sets, changes or takes away the guard of an operation. It will pause as this person, so it takes the right to do so. Nothing is
 * written to the cluster, but everybody who looks at the operation is told who set it.
 */
export async function setGuard(
  ctx: UpgradeContext,
  name: ObjectName,
  { uid, limits }: SetGuardRequest,
): Promise<Result<SetGuardReply>> {
  const allowed = await mayWrite(ctx, name.namespace, right);
  if (!allowed.ok) return allowed;
  try {
    const found = await readUpgrade(ctx, name, uid);
    if (!found.ok) return found;
    const phase = found.value.status?.phase;
    if (limits && (phase === 'Completed' || phase === 'Failed')) {
      return refuse('precondition_failed', 'upgradeOver', { upgrade: name.name, phase }, { applied: 'no' });
    }
    await ctx.guards.set({ uid, ...name }, limits, ctx.principal);
    return ok({ guard: ctx.guards.of(uid) });
  } catch (error) {
    if (!(error instanceof KubeError)) return refusedByHistory(error);
    return refusedByCluster(error, ctx, name.namespace, right, { sent: false });
  }
}
