import { isNotFound } from '../../controllers/client/api';
import { keyOf } from '../../controllers/client/objects';
import { objectPath, resources } from '../../controllers/client/resources';
import { annotation } from '../../controllers/rules/keys';
import { noContent, ok, Refusal } from './answers';
import { liveState, ofSandbox, resourceOf, usableState } from './call';
import { newEnds } from './ends';
import { secondsOr500 } from './requests';
import { idOf, sandboxView } from './sandbox-view';
import { changeSandbox } from './write';

const goneMs = 2_000;

/** `GET /sandboxes/{id}` */
export const getSandbox = ofSandbox((call, sandbox) => ok(sandboxView(sandbox, usableState(sandbox), call.host, true)));

/** `DELETE /sandboxes/{id}`: back to its pool if it is made for that, else gone. One that has failed stays as it is. */
export const killSandbox = ofSandbox((call, sandbox) => {
  const { manager } = call;
  const { namespace, annotations, uid } = sandbox.metadata;
  return manager.metrics.measure('delete', namespace, async () => {
    const { phase } = sandbox.status ?? {};
    if (phase === 'Failed' || phase === 'Succeeded') return noContent;
    if (annotations?.[annotation.cleanupEnabled] === 'true' && phase === 'Running') {
      await changeSandbox(manager, sandbox, () => ({ metadata: { annotations: { [annotation.cleanup]: 'true' } } }));
      return noContent;
    }
    try {
      await manager.cluster.api.remove(objectPath(resources.sandboxes, sandbox), { preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    await manager.waits.until(
      keyOf(sandbox),
      (now) => now?.metadata.uid !== uid || now.metadata.deletionTimestamp !== undefined || undefined,
      { ms: goneMs },
    );
    return noContent;
  });
});

/** `POST /sandboxes/{id}/timeout`: the end from now on. Every mistake is answered as 500 (recorded: info-timeout). */
export const setTimeoutOf = ofSandbox(async (call, sandbox) => {
  const seconds = secondsOr500(call);
  if (liveState(sandbox) !== 'running')
    throw new Refusal(500, `sandbox ${idOf(sandbox)} is not running; ${resourceOf(sandbox)}`);
  await changeSandbox(call.manager, sandbox, (now) => {
    const spec = newEnds(now, seconds);
    return spec === undefined ? undefined : { spec };
  });
  return noContent;
});
