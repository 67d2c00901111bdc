import { protectPod } from './admission/pod-protection';
import type { Principal } from './auth/people';
import { deleteOptions, remove } from './deletes';
import { fieldsOf, textOf } from './objects';
import { badRequest } from './status';
import type { Storage } from './storage';
import { read, type Target } from './writes';

/** Evicts a pod: a delete that a PodDisruptionBudget could refuse, if there were any here. */
export function evict(storage: Storage, target: Target, body: unknown, dryRun: boolean, caller: Principal): void {
  const current = read(storage, target);
  const name = textOf(body, 'metadata', 'name');
  if (name !== '' && name !== target.name) throw badRequest('name in URL does not match name in Eviction object');
  protectPod('v-pod-eviction.kb.io', current.object, caller, storage);
  remove(storage, target, current, deleteOptions(fieldsOf(body, 'deleteOptions'), new URLSearchParams(), dryRun));
}
