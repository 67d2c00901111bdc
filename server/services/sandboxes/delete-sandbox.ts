import 'server-only';
import type { SandboxTarget } from '@/lib/contracts/sandbox-writes';
import type { Receipt } from '@/lib/contracts/writes';
import { kubectlDelete } from '@/lib/domain/kubectl';
import type { ServiceContext } from '../context';
import { objectPath, type Right } from '../gate';
import { ok, type Result } from '../result';
import { nameOf, readForAction } from './live-sandbox';
import { type How, writeSandbox } from './write';

const right = { verb: 'delete', resource: 'sandboxes' } as const satisfies Right;

/**
 * Deletes a sandbox with its Pod and volumes (domain 4.8). Its uid and the version that was checked are preconditions, so that
 * one that was claimed in between stays.
 */
export function deleteSandbox(ctx: ServiceContext, target: SandboxTarget, how: How): Promise<Result<Receipt>> {
  const write = { action: 'deleteSandbox' as const, right, summary: 'deleted', before: {}, after: null };
  return writeSandbox(ctx, target, write, how, async (phase) => {
    const found = await readForAction(ctx, target, write.action);
    if (!found.ok) return found;
    const { live, already } = found.value;
    const { uid, resourceVersion, finalizers = [] } = live.metadata;
    const told = {
      before: { finalizers },
      after: null,
      kubectl: kubectlDelete(target.ns, 'sbx', target.name),
    };
    if (already) return ok({ ...told, changed: false });
    phase.sent = !how.dryRun;
    const answer = await ctx.cluster.client.request({
      method: 'DELETE',
      path: objectPath('sandboxes', nameOf(target)),
      // With a body, the API server looks for options nowhere else: a dry run asked for in the query would delete.
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
        ...(how.dryRun ? { dryRun: ['All'] } : {}),
      },
      as: ctx.principal,
    });
    return ok({ ...told, changed: true, warnings: answer.warnings });
  });
}
