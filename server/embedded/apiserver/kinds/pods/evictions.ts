import { admitEviction } from '../../admission/webhooks';
import type { Action } from '../../core/admission';
import { deleteOptions, remove } from '../../core/deletes';
import { fieldsOf, textOf } from '../../core/objects';
import { read } from '../../core/reads';
import { badRequest } from '../../core/status';
import type { Storage } from '../../core/storage';
import { DONE } from './done';

/** Evicts a pod: a delete that a PodDisruptionBudget could refuse, if there were any here. */
export const evict =
  (storage: Storage): Action =>
  ({ target, caller }, body, dryRun) => {
    const current = read(storage, target);
    const name = textOf(body, 'metadata', 'name');
    if (name !== '' && name !== target.name) throw badRequest('name in URL does not match name in Eviction object');
    admitEviction(target.kind, current.object, caller, storage);
    remove(storage, target, current, deleteOptions(fieldsOf(body, 'deleteOptions'), new URLSearchParams(), dryRun));
    return DONE;
  };
