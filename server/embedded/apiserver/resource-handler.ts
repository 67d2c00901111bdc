import type { Principal } from './auth/people';
import type { Tokens } from './auth/tokens';
import { checkEscalation } from './auth/validate-roles';
import { type Body, parseObject } from './body';
import { type DraftObject, decodeObject, type WriteOptions } from './decode';
import { handleDelete } from './delete-requests';
import { duplicateKeys } from './duplicate-keys';
import { evict } from './evictions';
import { jsonType } from './json-problem';
import type { Subresource } from './kinds';
import { invalidVersion, versionIn } from './list-options';
import { notOlderThan } from './lists';
import { managerName, managersAfter } from './managed-fields/managers';
import { applyConfiguration } from './managed-fields/requests';
import { type Fields, fieldsOf, isFields, type KubeObject, sortedJson, textOf, withValue } from './objects';
import { APPLY, applyPatch, checkPatchType } from './patch-body';
import { refreshQuotas } from './quotas';
import { scaleOf } from './scale';
import {
  badRequest,
  type Cause,
  forbidden,
  invalid,
  invalidValue,
  methodNotAllowed,
  notFound,
  required,
  tooLong,
  undecodablePatch,
  unsupportedValue,
  verbNotSupported,
} from './status';
import type { Storage } from './storage';
import { SUBRESOURCES } from './subresources';
import {
  bind,
  create,
  type Owners,
  partOf,
  read,
  readOrNothing,
  requireResourceVersion,
  type Target,
  update,
} from './writes';

/** A request for objects of a kind. */
export interface ResourceRequest {
  method: string;
  /** Who asks. */
  caller: Principal;
  target: Target;
  /** What the client calls itself. */
  userAgent: string;
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

function writeOptions({ query, method, body, warnings }: ResourceRequest): WriteOptions {
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const name = { POST: 'CreateOptions', PUT: 'UpdateOptions', PATCH: 'PatchOptions' }[method] ?? 'DeleteOptions';
  if (dryRun.some((value) => value !== 'All')) {
    throw invalid('meta.k8s.io', name, '', [unsupportedValue('dryRun', dryRun, ['All'])]);
  }
  const validation = query.get('fieldValidation');
  if (!isNo(validation) && validation !== 'Strict' && validation !== 'Warn' && validation !== 'Ignore') {
    throw invalid('meta.k8s.io', name, '', [
      unsupportedValue('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']),
    ]);
  }
  if (method === 'PATCH') checkApplyOptions(query, body.contentType === APPLY);
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: validation === 'Strict' || validation === 'Ignore' ? validation : 'Warn',
    warnings,
  };
}

/** Only an apply may be forced, and it must say whose it is. */
function checkApplyOptions(query: URLSearchParams, isApply: boolean): void {
  const manager = query.get('fieldManager') ?? '';
  const causes: Cause[] = [];
  if (isApply && manager === '') causes.push(required('fieldManager', 'is required for apply patch'));
  if (!isApply && !isNo(query.get('force')))
    causes.push(forbidden('force', 'may not be specified for non-apply patch'));
  if (manager.length > 128) causes.push(tooLong('fieldManager', 128));
  if (causes.length > 0) throw invalid('meta.k8s.io', 'PatchOptions', '', causes);
}

const METHODS: Record<string, string> = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** Refuses a subresource that a kind does not have, or not with this method. */
export function checkSubresource({
  method,
  target,
  subresource,
}: Pick<ResourceRequest, 'method' | 'target' | 'subresource'>): void {
  if (subresource === '') return;
  const { kind, name } = target;
  if (!(kind.subresources as readonly string[]).includes(subresource)) throw notFound(kind, name);
  const verb = METHODS[method] ?? '';
  if (SUBRESOURCES[subresource as Subresource].verbs.includes(verb)) return;
  throw kind.custom === undefined ? methodNotAllowed() : verbNotSupported(kind, verb);
}

/** Answers everything but lists and watches. Throws a StatusError for every refusal. */
export function handleResource(storage: Storage, tokens: Tokens, request: ResourceRequest): Answer {
  const answer = handle(storage, tokens, request);
  if (request.method !== 'GET') refreshQuotas(storage, request.target.namespace);
  return answer;
}

function handle(storage: Storage, tokens: Tokens, request: ResourceRequest): Answer {
  const { method, caller, target, subresource, query } = request;
  const { kind, name } = target;
  checkSubresource(request);
  const options = writeOptions(request);
  const answer = (code: number, object: KubeObject): Answer => ({ code, body: object, object });

  if (method === 'GET') {
    notOlderThan(storage, versionIn(query, invalidVersion));
    const version = read(storage, target);
    if (subresource === 'scale') return { code: 200, body: scaleOf(version.object, true) };
    return { ...answer(200, version.object), json: version.json };
  }
  if (method === 'DELETE') return handleDelete(storage, request, options.dryRun);
  if (method === 'POST') {
    if (subresource === 'binding') {
      bind(storage, target, parseObject(request.body, 'Binding'), options.dryRun);
      return { code: 201, body: DONE };
    }
    if (subresource === 'eviction') {
      evict(storage, target, parseObject(request.body, 'Eviction'), options.dryRun, caller);
      return { code: 201, body: DONE };
    }
    if (subresource === 'token') {
      return { code: 201, body: tokens.request(read(storage, target), parseObject(request.body, 'TokenRequest')) };
    }
    const draft = draftFrom(storage, request, options);
    warnOfFinalizers(draft, options);
    checkEscalation(storage, caller, target, draft);
    return answer(201, create(storage, target, draft, options.dryRun, ownersOf(request)));
  }
  if (method === 'PUT' || method === 'PATCH') {
    if (name === '') throw badRequest('name must be provided');
    if (method === 'PATCH') checkPatchType(kind, request.body);
    if (request.body.contentType === APPLY) {
      const { code, object } = applyConfiguration(storage, request, options);
      return answer(code, object);
    }
    if (subresource === 'scale') return { code: 200, body: writeScale(storage, request, options) };
    const current = method === 'PUT' ? undefined : read(storage, target);
    const draft =
      current === undefined
        ? draftFrom(storage, request, options)
        : patched(request, current.object, options, subresource);
    checkEscalation(storage, caller, target, draft);
    const stored = current ?? read(storage, target);
    return answer(200, update(storage, target, stored, draft, partOf(subresource), options.dryRun, ownersOf(request)));
  }
  throw methodNotAllowed();
}

const DONE = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** The writer owns what it changes. */
function ownersOf({ target, query, userAgent, subresource }: ResourceRequest): Owners {
  const manager = { name: managerName(query.get('fieldManager'), userAgent), subresource };
  return (old, object) => managersAfter(target.kind, old, object, manager);
}

/** Finalizers that Kubernetes itself has. */
const PLAIN_FINALIZERS = ['foregroundDeletion', 'orphan', 'kubernetes'];

function warnOfFinalizers({ metadata }: DraftObject, { warnings }: WriteOptions): void {
  for (const finalizer of metadata.finalizers ?? []) {
    if (String(finalizer).includes('/') || PLAIN_FINALIZERS.includes(finalizer)) continue;
    warnings.push(
      `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
  }
}

function draftFrom(storage: Storage, { method, target, body }: ResourceRequest, options: WriteOptions): DraftObject {
  const raw = parseObject(body, target.kind.kind);
  if (!isFields(raw)) {
    const why = `json: cannot unmarshal ${jsonType(raw)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${target.kind.kind}): couldn't get version/kind; json parse error: ${why} (${body.bytes.toString('hex').slice(0, 200)})`,
    );
  }
  if (method === 'PUT' && readOrNothing(storage, target) !== undefined) requireResourceVersion(target, raw);
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
  if (document.kind !== undefined && name !== current.metadata.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${current.metadata.name})`);
  }
  // A status patch leaves the spec aside, so what it says there is not looked at either.
  const { status, apiVersion, kind, metadata } = document;
  const looked = subresource === 'status' ? { apiVersion, kind, metadata, status } : document;
  const draft = decodeObject(target.kind, looked, options, { patched: true, duplicates: [] });
  const { uid } = draft.metadata;
  if (target.kind.custom !== undefined && uid !== undefined && uid !== current.metadata.uid) {
    const cause = invalidValue('metadata.uid', uid, 'field is immutable');
    throw invalid(target.kind.group, target.kind.kind, name, [cause, cause]);
  }
  return draft;
}

/** Changes the number of replicas, and nothing else, of the kind that a Scale stands for. */
function writeScale(storage: Storage, request: ResourceRequest, options: WriteOptions): object {
  const { method, target, body } = request;
  const current = read(storage, target);
  const raw = method === 'PUT' ? parseObject(body, 'Scale') : applyPatch(body, scaleOf(current.object));
  const given: Fields = isFields(raw) ? raw : {};
  const { replicas } = fieldsOf(given, 'spec');
  if (method === 'PATCH' && replicas !== undefined && typeof replicas !== 'number') {
    const why = `json: cannot unmarshal ${jsonType(replicas)} into Go struct field ScaleSpec.spec.replicas of type int32`;
    throw undecodablePatch(sortedJson(given), why);
  }
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
  return scaleOf(update(storage, target, current, { ...draft, metadata }, 'scale', options.dryRun, ownersOf(request)));
}
