import 'server-only';
import type { SandboxTarget } from '@/lib/contracts/sandbox-writes';
import type { Receipt } from '@/lib/contracts/writes';
import { kubectlDelete } from '@/lib/domain/kubectl';
import type { ServiceContext } from '../context';
import type { Right } from '../gate';
import { ok, type Result, refuse } from '../result';
import { podPath, readForAction, readPodOf } from './live-sandbox';
import { type How, writeSandbox } from './write';

const right = { verb: 'delete', resource: 'pods' } as const satisfies Right;

/**
 * Deletes the Pod of a sandbox, by its uid, where the controller makes another one. Where the webhooks are installed they refuse
 * it to everybody but the controller's own account and whom the installation names (domain 8): a dry run tells.
 * @returns a receipt whose `before.podUid` is the Pod's
 */
export function deletePod(ctx: ServiceContext, target: SandboxTarget, how: How): Promise<Result<Receipt>> {
  const write = {
    action: 'deletePod' as const,
    right,
    summary: 'pod deleted',
    before: target.podUid === undefined ? {} : { podUid: target.podUid },
    after: null,
  };
  return writeSandbox(ctx, target, write, how, async (phase) => {
    const found = await readForAction(ctx, target, write.action);
    if (!found.ok) return found;
    const pod = await readPodOf(ctx, target);
    if (target.podUid !== undefined && pod?.metadata.uid !== target.podUid) {
      const values = { sandbox: target.name, now: pod?.metadata.uid ?? 'none', seen: target.podUid };
      return refuse('conflict', 'podReplaced', values, { applied: 'no' });
    }
    if (!pod) {
      const values = { sandbox: target.name, why: 'noPod', of: 'none' };
      return refuse('precondition_failed', 'notNow', values, { applied: 'no' });
    }
    const { uid, deletionTimestamp } = pod.metadata;
    const told = { before: { podUid: uid }, after: null, kubectl: kubectlDelete(target.ns, 'pod', target.name) };
    if (deletionTimestamp) return ok({ ...told, changed: false });
    phase.sent = !how.dryRun;
    const answer = await ctx.cluster.client.request({
      method: 'DELETE',
      path: podPath(target),
      // With a body, the API server looks for options nowhere else: a dry run asked for in the query would delete.
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid },
        ...(how.dryRun ? { dryRun: ['All'] } : {}),
      },
      as: ctx.principal,
    });
    return ok({ ...told, changed: true, warnings: answer.warnings });
  });
}
