import { parseObject } from '../wire/body';
import { jsonProblem } from '../wire/json-problem';
import type { Cluster } from './admission';
import { type DeleteOptions, deleteOptions, remove } from './deletes';
import { apiVersionOf, type KindDefinition } from './kind-definition';
import { list, listMeta } from './lists';
import type { KubeObject } from './objects';
import { read } from './reads';
import type { Answer, ResourceRequest } from './requests';
import { badRequest, methodNotAllowed } from './status';

/** Answers a DELETE of an object, or of what a selector selects. */
export function handleDelete(cluster: Cluster, request: ResourceRequest, dryRun: boolean): Answer {
  const { caller, target, query, body } = request;
  const { storage, admission } = cluster;
  const options = deleteOptions(body.bytes.length === 0 ? undefined : readOptions(body), query, dryRun);
  if (target.name === '' && !target.kind.verbs.includes('deletecollection')) throw methodNotAllowed();
  if (target.name === '') return { code: 200, body: removeAll(cluster, request, options) };
  const { kind } = target;
  const current = read(storage, target);
  for (const plugin of admission) plugin.remove?.(kind, current.object, caller);
  const marked = remove(storage, target, current, options);
  if (marked !== undefined) return { code: 200, body: marked, object: marked };
  return { code: 200, body: deleted(kind, current.object) };
}

function readOptions(body: ResourceRequest['body']): unknown {
  try {
    return parseObject(body, 'DeleteOptions');
  } catch (error) {
    if (!body.contentType.includes('json')) throw error;
    throw badRequest(`couldn't get version/kind; json parse error: ${jsonProblem(body.text)}`);
  }
}

function deleted(kind: KindDefinition, { metadata }: KubeObject): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: metadata.name,
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.plural,
      uid: metadata.uid,
    },
  };
}

/** Deletes what a selector selects; the answer is the list of what was there. */
function removeAll(cluster: Cluster, { caller, target, query }: ResourceRequest, options: DeleteOptions): object {
  const { storage, admission } = cluster;
  const page = list(storage, target, query);
  for (const version of page.versions) {
    const { name, namespace = '' } = version.object.metadata;
    for (const plugin of admission) plugin.remove?.(target.kind, version.object, caller);
    if (!options.dryRun) remove(storage, { ...target, namespace, name }, version, options);
  }
  const { kind } = target;
  return {
    kind: kind.listKind,
    apiVersion: apiVersionOf(kind),
    metadata: listMeta(target, page),
    items: page.versions.map(({ object }) => object),
  };
}
