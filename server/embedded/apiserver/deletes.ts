import { idOf } from './kinds';
import { type Fields, fieldsOf, isFields, type KubeObject, numberOf, textOf } from './objects';
import { conflict, invalid, unsupportedValue } from './status';
import { keyOf, type Storage, timestamp, type Version } from './storage';
import { isFinished, type Target } from './writes';

export interface DeleteOptions {
  dryRun: boolean;
  propagationPolicy: string;
  gracePeriodSeconds: number | undefined;
  preconditions: { uid: string; resourceVersion: string };
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** Options of a DELETE: from the body, and from the query where the body does not say. */
export function deleteOptions(body: unknown, query: URLSearchParams, dryRun: boolean): DeleteOptions {
  const options: Fields = isFields(body) ? body : {};
  const propagationPolicy = textOf(options, 'propagationPolicy') || (query.get('propagationPolicy') ?? '');
  if (propagationPolicy !== '' && !POLICIES.includes(propagationPolicy)) {
    throw invalid('meta.k8s.io', 'DeleteOptions', '', [
      unsupportedValue('propagationPolicy', propagationPolicy, [...POLICIES, 'nil']),
    ]);
  }
  const grace = query.get('gracePeriodSeconds');
  return {
    dryRun,
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
  const id = idOf(kind);
  const key = keyOf(target.namespace, name);
  const marked = mark(target, current.object, options);
  if (marked === undefined) {
    if (!options.dryRun) storage.remove(id, key);
    return undefined;
  }
  if (options.dryRun) return marked;
  const stored = marked === current.object ? marked : storage.put(id, key, marked).object;
  if (!isFinished(stored)) return stored;
  storage.remove(id, key);
  return stored;
}

/** The object with its deletion mark, or undefined when nothing keeps it. */
function mark({ kind }: Target, object: KubeObject, options: DeleteOptions): KubeObject | undefined {
  const finalizers = [...(object.metadata.finalizers ?? [])];
  const policy = { Orphan: 'orphan', Foreground: 'foregroundDeletion' }[options.propagationPolicy];
  if (policy !== undefined && !finalizers.includes(policy)) finalizers.push(policy);
  const grace = kind.plural === 'pods' ? podGrace(object, options) : 0;
  const { deletionTimestamp, deletionGracePeriodSeconds: before = 0 } = object.metadata;
  const kept = finalizers.length > 0 || grace > 0 || kind.plural === 'namespaces';

  if (deletionTimestamp !== undefined) {
    if (grace >= before || options.gracePeriodSeconds === undefined) return object;
    // A shorter grace period moves the deadline; the object is written once more before it goes.
    const deadline = timestamp(Date.parse(deletionTimestamp) - (before - grace) * 1_000);
    return withMeta(object, { deletionTimestamp: deadline, deletionGracePeriodSeconds: grace });
  }
  if (!kept) return undefined;
  const marked = withMeta(object, {
    deletionTimestamp: timestamp(Date.now() + grace * 1_000),
    deletionGracePeriodSeconds: grace,
    ...(object.metadata.generation === undefined ? {} : { generation: object.metadata.generation + 1 }),
    ...(finalizers.length === 0 ? {} : { finalizers }),
  });
  if (kind.plural !== 'namespaces') return marked;
  const { deletionGracePeriodSeconds: _none, ...metadata } = marked.metadata;
  return { ...marked, metadata, status: { ...fieldsOf(object, 'status'), phase: 'Terminating' } };
}

function withMeta(object: KubeObject, metadata: Partial<KubeObject['metadata']>): KubeObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

/** Seconds a pod may take to stop: none when no node runs it. */
function podGrace(pod: KubeObject, options: DeleteOptions): number {
  if (textOf(pod, 'spec', 'nodeName') === '') return 0;
  const phase = textOf(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return 0;
  return options.gracePeriodSeconds ?? numberOf(pod, 'spec', 'terminationGracePeriodSeconds') ?? 30;
}
