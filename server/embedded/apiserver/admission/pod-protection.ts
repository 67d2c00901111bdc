import { serviceAccountUser } from '../auth/people';
import { fieldsOf, isFields, type KubeObject, listOf, textOf } from '../core/objects';
import type { Principal } from '../core/principal';
import { StatusError } from '../core/status';
import type { Storage } from '../core/storage';

type Webhook = 'v-pod-delete.kb.io' | 'v-pod-eviction.kb.io';

/** The account of the controllers, which may delete what they made (SANDBOX_CONTROLLER_USERNAME names it upstream). */
const CONTROLLERS = serviceAccountUser('sandbox-system', 'sandbox-controller-manager');

/** Here they run as `admin`, as in the recordings. They evict nothing: an admin who does that is a person. */
const isController = (user: string, webhook: Webhook): boolean =>
  user === CONTROLLERS || (user === 'admin' && webhook === 'v-pod-delete.kb.io');

/** `v-pod-delete.kb.io` and `v-pod-eviction.kb.io`: a pod goes with its sandbox, not before it. */
export function protectPod(webhook: Webhook, pod: KubeObject, caller: Principal, storage: Storage): void {
  const { name, namespace = '', labels, deletionTimestamp } = pod.metadata;
  if (labels?.['agents.kruise.io/created-by'] !== 'sandbox') return;
  if (isController(caller.user, webhook) || deletionTimestamp !== undefined) return;
  const sandbox = storage.collection('sandboxes.agents.kruise.io').items.get(`${namespace}/${name}`)?.object;
  if (sandbox === undefined || sandbox.metadata.deletionTimestamp !== undefined) return;
  const owner = listOf(fieldsOf(pod, 'metadata'), 'ownerReferences').find(
    (reference) => isFields(reference) && reference.controller === true,
  );
  if (owner !== undefined && textOf(owner, 'uid') !== sandbox.metadata.uid) return;
  const why = `cannot delete/evict pod ${namespace}/${name}: corresponding sandbox exists. Please delete the sandbox instead`;
  throw new StatusError(403, `admission webhook "${webhook}" denied the request: ${why}`, 'Forbidden');
}
