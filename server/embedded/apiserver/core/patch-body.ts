import type { StructuralSchema } from '../schema/structural-schema';
import type { Body } from '../wire/body';
import { jsonProblem, jsonType, parseJson } from '../wire/json-problem';
import type { KindDefinition } from './kind-definition';
import { isFields } from './objects';
import { jsonPatch, mergePatch } from './patches';
import { badRequest, unsupportedMediaType } from './status';
import { strategicMergePatch } from './strategic-merge';

const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const APPLY = 'application/apply-patch+yaml';

/** Refuses a patch of a type that the kind does not take; comes before anything else about the patch. */
export function checkPatchType(kind: KindDefinition, { contentType }: Body): void {
  const supported = [JSON_PATCH, MERGE, ...(kind.isCustom === true ? [] : [STRATEGIC]), APPLY];
  if (!supported.includes(contentType)) throw unsupportedMediaType(supported);
}

/** The document that a patch makes of another one; a strategic merge patch goes by the schema. */
export function applyPatch({ contentType, text }: Body, document: unknown, schema: StructuralSchema = {}): unknown {
  let patch: unknown;
  try {
    patch = parseJson(text);
  } catch {
    throw badRequest(`error decoding patch: ${jsonProblem(text)}`);
  }
  if (contentType === JSON_PATCH) return jsonPatch(document, patch);
  if (!isFields(patch)) {
    const why = `json: cannot unmarshal ${jsonType(patch)} into Go value of type map[string]interface {}`;
    throw badRequest(contentType === MERGE ? `error decoding patch: ${why}` : why);
  }
  return contentType === MERGE ? mergePatch(document, patch) : strategicMergePatch(document, patch, schema);
}
