import { invalidValue, unsupportedValue } from './causes';
import { now } from './clock';
import type { KindDefinition } from './kind-definition';
import { type Fields, isFields, type KubeObject, listOf, numberOf, textOf } from './objects';
import type { Target } from './reads';
import { collectionOf, put } from './shapes';
import { conflict, invalid } from './status';
import { keyOf, type Storage, timestamp, type Version } from './storage';

export interface DeleteOptions {
  dryRun: boolean;
  propagationPolicy: string;
  gracePeriodSeconds: number | undefined;
  preconditions: { uid: string; resourceVersion: string };
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** Options of a DELETE: from the body, or from the query where there is none. */
export function deleteOptions(body: unknown, query: URLSearchParams, dryRun: boolean): DeleteOptions {
  const options: Fields = isFields(body) ? body : {};
  // The query counts only where there is no body, even for what the body does not say.
  const asks = (name: string) => (body === undefined ? query.get(name) : null);
  const propagationPolicy = textOf(options, 'propagationPolicy') || (asks('propagationPolicy') ?? '');
  if (propagationPolicy !== '' && !POLICIES.includes(propagationPolicy)) {
    throw invalid('meta.k8s.io', 'DeleteOptions', '', [
      unsupportedValue('propagationPolicy', propagationPolicy, [...POLICIES, 'nil']),
    ]);
  }
  if (propagationPolicy !== '' && typeof options.orphanDependents === 'boolean') {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    throw invalid('meta.k8s.io', 'DeleteOptions', '', [invalidValue('propagationPolicy', propagationPolicy, why)]);
  }
  const asked = listOf(options, 'dryRun');
  if (asked.some((value) => value !== 'All')) {
    throw invalid('meta.k8s.io', 'DeleteOptions', '', [unsupportedValue('dryRun', asked, ['All'])]);
  }
  const grace = asks('gracePeriodSeconds');
  return {
    dryRun: body === undefined ? dryRun : asked.length > 0,
    propagationPolicy,
    gracePeriodSeconds: numberOf(options, 'gracePeriodSeconds') ?? (grace === null ? undefined : Number(grace)),
    preconditions: {
      uid: textOf(options, 'preconditions', 'uid'),
      resourceVersion: textOf(options, 'preconditions', 'resourceVersion'),
    },
  };
}

/**
 * Deletes an object, or marks it for deletion when finalizers or a grace period keep it. Returns the marked object,
 * or undefined when it is gone at once.
 */
export function remove(
  storage: Storage,
  target: Target,
  current: Version,
  options: DeleteOptions,
): KubeObject | undefined {
  const { kind, name } = target;
  const { metadata } = current.object;
  const { uid, resourceVersion } = options.preconditions;
  if (uid !== '' && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(kind, name, why, 'kind');
  }
  if (resourceVersion !== '' && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(kind, name, why, 'kind');
  }
  const id = collectionOf(kind);
  const key = keyOf(target.namespace, name);
  const marked = mark(target, current.object, options);
  if (marked === undefined) {
    if (!options.dryRun) storage.remove(id, key);
    return undefined;
  }
  if (options.dryRun) return marked;
  const stored = marked === current.object ? marked : put(storage, kind, key, marked);
  if (!isFinished(kind, stored)) return stored;
  storage.remove(id, key);
  return stored;
}

/** The object with its deletion mark, or undefined when nothing keeps it. */
function mark({ kind }: Target, object: KubeObject, options: DeleteOptions): KubeObject | undefined {
  const finalizers = [...(object.metadata.finalizers ?? [])];
  const policy = { Orphan: 'orphan', Foreground: 'foregroundDeletion' }[options.propagationPolicy];
  if (policy !== undefined && !finalizers.includes(policy)) finalizers.push(policy);
  const grace = kind.grace?.(object, options.gracePeriodSeconds) ?? 0;
  const { deletionTimestamp, deletionGracePeriodSeconds: before = 0 } = object.metadata;
  // What could have been kept is marked even if it goes at once, and gone a moment later.
  const kept = finalizers.length > 0 || kind.grace !== undefined || kind.isHeld !== undefined;

  if (deletionTimestamp !== undefined) {
    if (grace >= before || options.gracePeriodSeconds === undefined) return object;
    // A shorter grace period moves the deadline; the object is written once more before it goes.
    const deadline = timestamp(Date.parse(deletionTimestamp) - (before - grace) * 1_000);
    return withMeta(object, { deletionTimestamp: deadline, deletionGracePeriodSeconds: grace });
  }
  if (!kept) return undefined;
  const marked = withMeta(object, {
    deletionTimestamp: timestamp(now() + grace * 1_000),
    deletionGracePeriodSeconds: grace,
    ...(object.metadata.generation === undefined ? {} : { generation: object.metadata.generation + 1 }),
    ...(finalizers.length === 0 ? {} : { finalizers }),
  });
  return kind.terminate?.(marked) ?? marked;
}

function withMeta(object: KubeObject, metadata: Partial<KubeObject['metadata']>): KubeObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

/** Whether nothing keeps an object that is marked for deletion. */
export function isFinished(kind: KindDefinition, object: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata;
  if (deletionTimestamp === undefined || finalizers.length > 0 || kind.isHeld?.(object) === true) return false;
  return deletionGracePeriodSeconds === 0;
}
