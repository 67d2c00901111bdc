import { type Principal, serviceAccountUser } from '../auth/people';
import { fieldsOf, isFields, type KubeObject, listOf, textOf } from '../objects';
import { StatusError } from '../status';
import type { Storage } from '../storage';

/**
 * The account of the controllers, which may delete what they made. They run as `admin` here, as in the recordings
 * (SANDBOX_CONTROLLER_USERNAME names the account upstream).
 */
const CONTROLLERS = [serviceAccountUser('sandbox-system', 'sandbox-controller-manager'), 'admin'];

/** `v-pod-delete.kb.io` and `v-pod-eviction.kb.io`: a pod goes with its sandbox, not before it. */
export function protectPod(
  webhook: 'v-pod-delete.kb.io' | 'v-pod-eviction.kb.io',
  pod: KubeObject,
  caller: Principal,
  storage: Storage,
): void {
  const { name, namespace = '', labels, deletionTimestamp } = pod.metadata;
  if (labels?.['agents.kruise.io/created-by'] !== 'sandbox') return;
  if (CONTROLLERS.includes(caller.user) || deletionTimestamp !== undefined) return;
  const sandbox = storage.collection('sandboxes.agents.kruise.io').items.get(`${namespace}/${name}`)?.object;
  if (sandbox === undefined || sandbox.metadata.deletionTimestamp !== undefined) return;
  const owner = listOf(fieldsOf(pod, 'metadata'), 'ownerReferences').find(
    (reference) => isFields(reference) && reference.controller === true,
  );
  if (owner !== undefined && textOf(owner, 'uid') !== sandbox.metadata.uid) return;
  const why = `cannot delete/evict pod ${namespace}/${name}: corresponding sandbox exists. Please delete the sandbox instead`;
  throw new StatusError(403, `admission webhook "${webhook}" denied the request: ${why}`, 'Forbidden');
}
