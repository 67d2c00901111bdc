import type { Body } from './body';
import type { KindDefinition } from './kinds';
import { isFields } from './objects';
import { jsonPatch, mergePatch } from './patches';
import { badRequest, unsupportedMediaType } from './status';
import { strategicMergePatch } from './strategic-merge';

const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

/** Refuses a patch of a type that the kind does not take; comes before anything else about the patch. */
export function checkPatchType(kind: KindDefinition, { contentType }: Body): void {
  const supported = kind.custom === undefined ? [JSON_PATCH, MERGE, STRATEGIC] : [JSON_PATCH, MERGE];
  if (supported.includes(contentType)) return;
  // Server-side apply needs field ownership, which is not kept: it is not offered to those who try it. To others the
  // answer is the one of a server that has it.
  throw unsupportedMediaType(contentType === APPLY || kind.custom === undefined ? supported : [...supported, APPLY]);
}

/** The document that a patch makes of another one. */
export function applyPatch({ contentType, text }: Body, document: unknown): unknown {
  let patch: unknown;
  try {
    patch = JSON.parse(text);
  } catch (error) {
    throw badRequest(`error decoding patch: ${String(error)}`);
  }
  if (contentType === JSON_PATCH) return jsonPatch(document, patch);
  if (!isFields(patch)) {
    throw badRequest('error decoding patch: json: cannot unmarshal into Go value of type map[string]interface {}');
  }
  return contentType === MERGE ? mergePatch(document, patch) : strategicMergePatch(document, patch);
}
