import 'server-only';
import type { UpgradeCurrentReply } from '@/lib/contracts/upgrade-members';
import { KubeError } from '../../kube/errors';
import type { ServiceContext } from '../context';
import type { ObjectName } from '../gate';
import { ok, type Result } from '../result';
import { readMembers } from './read-members';

/** Each takes some lists of the API server. */
const atOnce = 4;

/**
 * How many sandboxes of each operation are up to date already. Of one that is gone, or that the person may not see, nothing
 * is told. Throws `KubeError`.
 */
export async function countCurrent(
  ctx: Pick<ServiceContext, 'cluster' | 'principal' | 'now'>,
  operations: readonly ObjectName[],
): Promise<Result<UpgradeCurrentReply>> {
  const counts: UpgradeCurrentReply['counts'] = {};
  for (let from = 0; from < operations.length; from += atOnce) {
    await Promise.all(
      operations.slice(from, from + atOnce).map(async (name) => {
        const members = await readMembers(ctx, name).catch(unseen);
        if (!members?.ok) return;
        const same = members.value.leftOut.filter(({ reason }) => reason === 'upToDate');
        counts[`${name.namespace}/${name.name}`] = same.length;
      }),
    );
  }
  return ok({ time: ctx.now(), counts });
}

function unseen(error: unknown): undefined {
  if (!(error instanceof KubeError) || (error.status !== 403 && error.status !== 404)) throw error;
}
