import { now } from './clock';
import { type Fields, fieldsOf, isFields, type KubeObject, listOf, numberOf, textOf } from './objects';
import { collectionOf, put } from './shapes';
import { conflict, invalid, invalidValue, StatusError, unsupportedValue } from './status';
import { keyOf, type Storage, timestamp, type Version } from './storage';
import { isFinished, type Target } from './writes';

export interface DeleteOptions {
  dryRun: boolean;
  propagationPolicy: string;
  gracePeriodSeconds: number | undefined;
  preconditions: { uid: string; resourceVersion: string };
}

/** What every cluster needs. */
const PROTECTED = ['default', 'kube-system', 'kube-public'];
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
  if (kind.plural === 'namespaces' && PROTECTED.includes(name)) {
    const why = `namespaces ${JSON.stringify(name)} is forbidden: this namespace may not be deleted`;
    throw new StatusError(403, why, 'Forbidden', { name, kind: 'namespaces' });
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
  // A pod that goes at once is marked like any other, and gone a moment later.
  const kept = finalizers.length > 0 || kind.plural === 'pods' || kind.plural === 'namespaces';

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
