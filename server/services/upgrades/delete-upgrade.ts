import 'server-only';
import type { DeleteUpgradeRequest } from '@/lib/contracts/upgrade-writes';
import type { Receipt } from '@/lib/contracts/writes';
import { kubectlDelete } from '@/lib/domain/kubectl';
import { audited } from '../audited';
import type { ServiceContext } from '../context';
import { mayWrite, type ObjectName, objectPath, type Right, refusedByCluster } from '../gate';
import { ok, type Result } from '../result';
import { readUpgrade, upgradeKind, upgrades } from './live-upgrade';

const right = { verb: 'delete', resource: upgrades } as const satisfies Right;

/**
 * Deletes an operation, with its uid as the precondition. What is in flight goes on: the controller takes its labels off
 * the sandboxes and leaves the rest (domain 6.6); the page says so before. A time-out is never tried again.
 */
export function deleteUpgrade(
  ctx: ServiceContext,
  name: ObjectName,
  input: DeleteUpgradeRequest,
): Promise<Result<Receipt>> {
  const object = { kind: upgradeKind, ...name, uid: input.uid };
  const intent = {
    action: 'deleteUpgrade' as const,
    actor: ctx.principal.subject,
    object,
    before: null,
    after: null,
    summary: 'deleted',
    ...(input.reason ? { reason: input.reason } : {}),
    requestId: ctx.requestId,
  };
  return audited(ctx, input.dryRun, intent, async (id) => {
    const allowed = await mayWrite(ctx, name.namespace, right);
    if (!allowed.ok) return allowed;
    const phase = { sent: false };
    try {
      const found = await readUpgrade(ctx, name, input.uid);
      if (!found.ok) return found;
      phase.sent = !input.dryRun;
      const answer = await ctx.cluster.client.request({
        method: 'DELETE',
        path: objectPath(upgrades, name),
        // With a body, the API server looks for options nowhere else: a dry run asked for in the query would delete.
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          preconditions: { uid: input.uid },
          ...(input.dryRun ? { dryRun: ['All'] } : {}),
        },
        as: ctx.principal,
      });
      const { phase: reached, replicas, updatedReplicas, updatingReplicas, failedReplicas } = found.value.status ?? {};
      return ok({
        id,
        at: ctx.now(),
        actor: ctx.principal.subject,
        dryRun: input.dryRun,
        action: 'deleteUpgrade' as const,
        object,
        changed: true,
        before: { phase: reached ?? '', replicas, updatedReplicas, updatingReplicas, failedReplicas },
        after: null,
        kubectl: kubectlDelete(name.namespace, 'suo', name.name),
        warnings: answer.warnings,
      });
    } catch (error) {
      return refusedByCluster(error, ctx, name.namespace, right, phase);
    }
  });
}
