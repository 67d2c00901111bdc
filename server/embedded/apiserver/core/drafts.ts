import { parseObject } from '../wire/body';
import { duplicateKeys } from '../wire/duplicate-keys';
import { jsonType, parseJson } from '../wire/json-problem';
import { invalidValue } from './causes';
import { type DraftObject, decodeObject } from './decode';
import { isFields, type KubeObject, textOf } from './objects';
import { applyPatch, STRATEGIC } from './patch-body';
import { readOrNothing, type Target } from './reads';
import type { ResourceRequest } from './requests';
import { badRequest, invalid } from './status';
import type { Storage } from './storage';
import { goMap } from './strategic-merge';
import type { WriteOptions } from './write-options';

/** The object in the body of a POST or a PUT. */
export function draftFrom(
  storage: Storage,
  { method, target, body }: ResourceRequest,
  options: WriteOptions,
): DraftObject {
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

/** A PUT of a custom resource must say which version it replaces. */
function requireResourceVersion({ kind, name }: Target, body: object): void {
  if (kind.isCustom !== true || textOf(body, 'metadata', 'resourceVersion') !== '') return;
  throw invalid(kind.group, kind.plural, name, [
    invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
  ]);
}

/** The object that a PATCH makes of the stored one. */
export function patched(
  { target: { kind }, body, subresource }: ResourceRequest,
  current: KubeObject,
  options: WriteOptions,
): DraftObject {
  const document = applyPatch(body, current, kind.schema);
  if (!isFields(document)) throw badRequest('the patched object is no object');
  const name = textOf(document, 'metadata', 'name');
  if (document.kind !== undefined && name !== current.metadata.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${current.metadata.name})`);
  }
  // A status patch leaves the spec aside, so what it says there is not looked at either.
  const { status, apiVersion, kind: given, metadata } = document;
  const looked = subresource === 'status' ? { apiVersion, kind: given, metadata, status } : document;
  const shown = body.contentType === STRATEGIC ? { shown: () => goMap(parseJson(body.text)) } : {};
  const draft = decodeObject(kind, looked, options, { patched: true, ...shown, duplicates: [] });
  const { uid } = draft.metadata;
  if (kind.isCustom === true && uid !== undefined && uid !== current.metadata.uid) {
    const cause = invalidValue('metadata.uid', uid, 'field is immutable');
    throw invalid(kind.group, kind.kind, name, [cause, cause]);
  }
  return draft;
}

/** Finalizers that Kubernetes itself has. */
const PLAIN_FINALIZERS = ['foregroundDeletion', 'orphan', 'kubernetes'];

/** Warns of finalizers that two writers could both think of. */
export function warnOfFinalizers({ metadata }: DraftObject, { warnings }: WriteOptions): void {
  for (const finalizer of metadata.finalizers ?? []) {
    if (String(finalizer).includes('/') || PLAIN_FINALIZERS.includes(finalizer)) continue;
    warnings.push(
      `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
  }
}
