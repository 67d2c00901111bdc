import { type Body, parseObject } from './body';
import { type DraftObject, decodeObject, type WriteOptions } from './decode';
import { deleteOptions, remove } from './deletes';
import { duplicateKeys } from './duplicate-keys';
import type { KindDefinition } from './kinds';
import { list, listMeta, notOlderThan } from './lists';
import { type Fields, fieldsOf, isFields, type KubeObject, textOf, withValue } from './objects';
import { applyPatch, checkPatchType } from './patch-body';
import { scaleOf } from './scale';
import { badRequest, invalid, methodNotAllowed, notFound, unsupportedValue } from './status';
import type { Storage } from './storage';
import { bind, create, type Part, read, requireResourceVersion, type Target, update } from './writes';

/** A request for objects of a kind. */
export interface ResourceRequest {
  method: string;
  target: Target;
  /** '' for the object itself. */
  subresource: string;
  query: URLSearchParams;
  body: Body;
  /** Texts for `Warning` headers are added here, whether the request succeeds or not. */
  warnings: string[];
}

/** An answer to anything but a list or a watch. */
export interface Answer {
  code: number;
  body: object;
  /** The same body where it is an object of the kind: it may be wanted as a Table or as metadata alone. */
  object?: KubeObject;
  /** The body as JSON, where that is at hand. */
  json?: string;
}

const isNo = (text: string | null) => text === null || text === '';

function writeOptions({ query, method, warnings }: ResourceRequest): WriteOptions {
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const name = { POST: 'CreateOptions', PUT: 'UpdateOptions', PATCH: 'PatchOptions' }[method] ?? 'DeleteOptions';
  if (dryRun.some((value) => value !== 'All')) {
    throw invalid('meta.k8s.io', name, '', [unsupportedValue('dryRun', dryRun, ['All'])]);
  }
  const validation = query.get('fieldValidation');
  if (!isNo(validation) && validation !== 'Strict' && validation !== 'Warn' && validation !== 'Ignore') {
    throw invalid('meta.k8s.io', name, '', [
      unsupportedValue('fieldValidation', validation, ['Ignore', 'Strict', 'Warn']),
    ]);
  }
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: validation === 'Strict' || validation === 'Ignore' ? validation : 'Warn',
    warnings,
  };
}

/** Answers everything but lists and watches. Throws a StatusError for every refusal. */
export function handleResource(storage: Storage, request: ResourceRequest): Answer {
  const { method, target, subresource, query } = request;
  const { kind, name } = target;
  if (subresource !== '' && !(kind.subresources as readonly string[]).includes(subresource)) throw notFound(kind, name);
  const options = writeOptions(request);
  const answer = (code: number, object: KubeObject): Answer => ({ code, body: object, object });

  if (method === 'GET') {
    notOlderThan(storage, query);
    const version = read(storage, target);
    if (subresource === 'scale') return { code: 200, body: scaleOf(version.object) };
    return { ...answer(200, version.object), json: version.json };
  }
  if (method === 'DELETE' && subresource === '') {
    const settings = deleteOptions(bodyOrNothing(request), query, options.dryRun);
    if (name === '') return { code: 200, body: removeAll(storage, request, settings) };
    const current = read(storage, target);
    const marked = remove(storage, target, current, settings);
    if (marked !== undefined) return answer(200, marked);
    if (kind.plural === 'pods') return answer(200, current.object);
    return { code: 200, body: deleted(kind, current.object) };
  }
  if (method === 'POST') {
    if (subresource === 'binding') {
      bind(storage, target, parseObject(request.body, 'Binding'), options.dryRun);
      return { code: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
    }
    if (subresource !== '') throw methodNotAllowed();
    return answer(201, create(storage, target, draftFrom(request, options), options.dryRun));
  }
  if (method === 'PUT' || method === 'PATCH') {
    if (name === '') throw badRequest('name must be provided');
    if (method === 'PATCH') checkPatchType(kind, request.body);
    if (subresource === 'scale') return { code: 200, body: writeScale(storage, request, options) };
    const current = method === 'PUT' ? undefined : read(storage, target);
    const draft =
      current === undefined ? draftFrom(request, options) : patched(request, current.object, options, subresource);
    const stored = current ?? read(storage, target);
    if (method === 'PUT') requireResourceVersion(target, draft);
    return answer(200, update(storage, target, stored, draft, partOf(subresource), options.dryRun));
  }
  throw methodNotAllowed();
}

function partOf(subresource: string): Part {
  return subresource === 'status' || subresource === 'finalize' ? subresource : 'main';
}

function bodyOrNothing({ body }: ResourceRequest): unknown {
  return body.bytes.length === 0 ? undefined : parseObject(body, 'DeleteOptions');
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
function removeAll(
  storage: Storage,
  { target, query }: ResourceRequest,
  settings: ReturnType<typeof deleteOptions>,
): object {
  const page = list(storage, target, query);
  for (const version of page.versions) {
    const { name, namespace = '' } = version.object.metadata;
    remove(storage, { ...target, namespace, name }, version, settings);
  }
  const { kind } = target;
  return {
    kind: kind.listKind,
    apiVersion:
      page.versions[0]?.object.apiVersion ?? (kind.group === '' ? kind.version : `${kind.group}/${kind.version}`),
    metadata: listMeta(target, page),
    items: page.versions.map(({ object }) => object),
  };
}

function draftFrom({ target, body }: ResourceRequest, options: WriteOptions): DraftObject {
  const raw = parseObject(body, target.kind.kind);
  if (!isFields(raw)) throw badRequest(`the object provided is unrecognized (must be of type ${target.kind.kind})`);
  const duplicates =
    options.fieldValidation === 'Ignore' || /yaml|protobuf/.test(body.contentType) ? [] : duplicateKeys(body.text);
  return decodeObject(target.kind, raw, options, { patched: false, duplicates });
}

function patched(
  { target, body }: ResourceRequest,
  current: KubeObject,
  options: WriteOptions,
  subresource: string,
): DraftObject {
  const document = applyPatch(body, current);
  if (!isFields(document)) throw badRequest('the patched object is no object');
  const name = textOf(document, 'metadata', 'name');
  if (name !== current.metadata.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${current.metadata.name})`);
  }
  // A status patch leaves the spec aside, so what it says there is not looked at either.
  const warnings = subresource === 'status' ? { ...options, fieldValidation: 'Ignore' as const } : options;
  return decodeObject(target.kind, document, warnings, { patched: true, duplicates: [] });
}

/** Changes the number of replicas, and nothing else, of the kind that a Scale stands for. */
function writeScale(storage: Storage, { method, target, body }: ResourceRequest, options: WriteOptions): object {
  const current = read(storage, target);
  const raw = method === 'PUT' ? parseObject(body, 'Scale') : applyPatch(body, scaleOf(current.object));
  const given: Fields = isFields(raw) ? raw : {};
  const { replicas } = fieldsOf(given, 'spec');
  if (replicas !== undefined && (typeof replicas !== 'number' || !Number.isInteger(replicas))) {
    throw badRequest(
      `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`,
    );
  }
  const { uid, resourceVersion } = fieldsOf(given, 'metadata');
  const draft = withValue(current.object, ['spec', 'replicas'], replicas ?? 0) as DraftObject;
  const metadata: DraftObject['metadata'] = { name: target.name };
  if (typeof uid === 'string') metadata.uid = uid;
  if (typeof resourceVersion === 'string') metadata.resourceVersion = resourceVersion;
  return scaleOf(update(storage, target, current, { ...draft, metadata }, 'scale', options.dryRun));
}
