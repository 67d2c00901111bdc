import 'server-only';
import { kubeObject } from '@/lib/contracts/objects';
import type { Audit } from '../history/audit';
import { guardAnnotation, type StoredGuard } from '../history/guards';
import { KubeError } from '../kube/errors';
import type { ClusterPort, ServiceContext } from '../services/context';
import { objectPath } from '../services/gate';
import { upgrades } from '../services/upgrades/live-upgrade';
import { steerUpgrade } from '../services/upgrades/steer-upgrade';
import type { GuardActions } from './guards';

/** Nothing is left to pause when one of these is why. */
const over = new Set<string | undefined>(['upgradeOver', 'objectReplaced', 'objectDeleting']);

/** What guards do on a cluster: through the same services as people, audited as the person who set the guard. */
export function guardActions(cluster: ClusterPort, audit: Audit, now: () => number = Date.now): GuardActions {
  const contextOf = (guard: StoredGuard): ServiceContext => ({
    cluster,
    principal: guard.principal,
    requestId: guard.id,
    audit,
    now,
  });
  return {
    async pause(guard, op, { limit, failed, ended }) {
      const reached =
        limit === 'failures' ? `${guard.limits.failures} failures` : `${guard.limits.ratePercent} % failed`;
      const result = await steerUpgrade(
        contextOf(guard),
        { namespace: op.ns, name: op.name },
        {
          uid: op.uid,
          dryRun: false,
          reason: `guard at ${reached}: ${failed} of ${ended} that ended have failed`,
          change: { what: 'paused', from: false, to: true },
        },
      );
      if (result.ok) return 'paused';
      const { code, reason, message } = result.problem;
      return code === 'not_found' || over.has(reason) ? 'over' : { problem: message };
    },
    async markOf({ namespace, opName, principal }) {
      try {
        const { body } = await cluster.client.request({
          method: 'GET',
          path: objectPath(upgrades, { namespace, name: opName }),
          as: principal,
        });
        const { uid, annotations } = kubeObject.parse(body).metadata;
        const guard = annotations?.[guardAnnotation];
        return { uid, ...(guard === undefined ? {} : { guard }) };
      } catch (error) {
        if (error instanceof KubeError) return undefined;
        throw error;
      }
    },
  };
}
