import { admitDelete } from './admission/webhooks';
import { parseObject } from './body';
import { type DeleteOptions, deleteOptions, remove } from './deletes';
import { jsonProblem } from './json-problem';
import { apiVersionOf, type KindDefinition } from './kinds';
import { list, listMeta } from './lists';
import type { KubeObject } from './objects';
import type { Answer, ResourceRequest } from './resource-handler';
import { badRequest, methodNotAllowed } from './status';
import type { Storage } from './storage';
import { read } from './writes';

/** Answers a DELETE of an object, or of what a selector selects. */
export function handleDelete(storage: Storage, request: ResourceRequest, dryRun: boolean): Answer {
  const { caller, target, query, body } = request;
  const options = deleteOptions(body.bytes.length === 0 ? undefined : readOptions(body), query, dryRun);
  if (target.name === '' && !target.kind.verbs.includes('deletecollection')) throw methodNotAllowed();
  if (target.name === '') return { code: 200, body: removeAll(storage, request, options) };
  const { kind } = target;
  const current = read(storage, target);
  admitDelete(kind, current.object, caller, storage);
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
function removeAll(storage: Storage, { caller, target, query }: ResourceRequest, options: DeleteOptions): object {
  const page = list(storage, target, query);
  for (const version of page.versions) {
    const { name, namespace = '' } = version.object.metadata;
    admitDelete(target.kind, version.object, caller, storage);
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
