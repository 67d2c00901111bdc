import { parseObject } from '../wire/body';
import type { Cluster } from './admission';
import { applyConfiguration } from './apply-requests';
import { create } from './create';
import { handleDelete } from './delete-requests';
import { draftFrom, patched, warnOfFinalizers } from './drafts';
import { invalidVersion, versionIn } from './list-options';
import { notOlderThan } from './lists';
import type { KubeObject } from './objects';
import { ownersOf } from './owners';
import { APPLY, checkPatchType } from './patch-body';
import { read } from './reads';
import type { Answer, ResourceRequest } from './requests';
import { scaleOf, writeScale } from './scale';
import { badRequest, methodNotAllowed } from './status';
import { checkSubresource, definitionOf, type Subresource } from './subresources';
import { partOf, update } from './update';
import { type WriteOptions, writeOptions } from './write-options';

const answer = (code: number, object: KubeObject): Answer => ({ code, body: object, object });

/** Answers everything but lists and watches. Throws a StatusError for every refusal. */
export function handleResource(cluster: Cluster, request: ResourceRequest): Answer {
  checkSubresource(request);
  const options = writeOptions(request);
  if (request.method === 'GET') return handleGet(cluster, request);
  const answered = handleWrite(cluster, request, options);
  for (const plugin of cluster.admission) plugin.written?.(request.target.namespace);
  return answered;
}

function handleGet({ storage }: Cluster, { target, subresource, query }: ResourceRequest): Answer {
  notOlderThan(storage, versionIn(query, invalidVersion));
  const version = read(storage, target);
  if (subresource === 'scale') return { code: 200, body: scaleOf(target.kind, version.object, true) };
  return { ...answer(200, version.object), json: version.json };
}

function handleWrite(cluster: Cluster, request: ResourceRequest, options: WriteOptions): Answer {
  switch (request.method) {
    case 'DELETE':
      return handleDelete(cluster, request, options.dryRun);
    case 'POST':
      return request.subresource === '' ? handleCreate(cluster, request, options) : act(cluster, request, options);
    case 'PUT':
    case 'PATCH':
      return handleUpdate(cluster, request, options);
    default:
      throw methodNotAllowed();
  }
}

function handleCreate(cluster: Cluster, request: ResourceRequest, options: WriteOptions): Answer {
  const { target, caller } = request;
  const draft = draftFrom(cluster.storage, request, options);
  warnOfFinalizers(draft, options);
  for (const plugin of cluster.admission) plugin.check?.(caller, target, draft);
  return answer(201, create(cluster, target, draft, options.dryRun, ownersOf(request)));
}

function act({ actions }: Cluster, request: ResourceRequest, { dryRun }: WriteOptions): Answer {
  const { target, subresource } = request;
  const action = actions[`${target.kind.plural}/${subresource}`];
  if (action === undefined) throw methodNotAllowed();
  const { kind = '' } = definitionOf(subresource as Subresource);
  return { code: 201, body: action(request, parseObject(request.body, kind), dryRun) };
}

function handleUpdate(cluster: Cluster, request: ResourceRequest, options: WriteOptions): Answer {
  const { method, caller, target, subresource, body } = request;
  const { storage, admission } = cluster;
  if (target.name === '') throw badRequest('name must be provided');
  if (method === 'PATCH') checkPatchType(target.kind, body);
  if (body.contentType === APPLY) {
    const { code, object } = applyConfiguration(cluster, request, options);
    return answer(code, object);
  }
  if (subresource === 'scale') return { code: 200, body: writeScale(cluster, request, options.dryRun) };
  const current = method === 'PUT' ? undefined : read(storage, target);
  const draft =
    current === undefined ? draftFrom(storage, request, options) : patched(request, current.object, options);
  for (const plugin of admission) plugin.check?.(caller, target, draft);
  const stored = current ?? read(storage, target);
  const part = partOf(subresource);
  return answer(200, update(cluster, target, stored, draft, part, options.dryRun, ownersOf(request)));
}
