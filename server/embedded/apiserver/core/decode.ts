import { invalidValue } from './causes';
import { decodeMeta } from './decode-meta';
import { apiVersionOf, type KindDefinition } from './kind-definition';
import { type Fields, type ObjectMeta, sortedJson, textOf } from './objects';
import { badRequest, invalid, type StatusError, undecodablePatch } from './status';
import type { WriteOptions } from './write-options';

/** An object as a client sent it: what the server sets may be missing. */
export interface DraftObject {
  apiVersion: string;
  kind: string;
  metadata: Partial<ObjectMeta>;
  [field: string]: unknown;
}

interface Source {
  /** Patched objects are refused in other words than bodies. */
  patched: boolean;
  /** A patch that a refusal repeats instead of the object. */
  shown?: () => string;
  /** Paths of duplicate keys in the text of the body. */
  duplicates: readonly string[];
}

/**
 * Reads an object of a kind: checks apiVersion and kind, drops unknown fields (or refuses or warns, by
 * fieldValidation) and fills in the defaults of the kind.
 */
export function decodeObject(kind: KindDefinition, raw: Fields, options: WriteOptions, source: Source): DraftObject {
  checkType(kind, raw, options, source);
  const unknown: string[] = [];
  const meta = decodeMeta(raw.metadata, unknown);
  const problem = 'problem' in meta ? meta.problem : kind.problem?.(raw, kind.kind);
  if (problem !== undefined) throw undecodable(kind, raw, problem, source);
  const metadata = 'problem' in meta ? {} : meta.metadata;
  const object: DraftObject = { ...raw, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  const decoded = kind.decode?.(object, unknown) ?? object;
  const problems = [
    ...source.duplicates.map((path) => `duplicate field "${path}"`),
    // The fields of custom resources are looked at in order.
    ...(kind.isCustom === true ? unknown.sort() : unknown).map((path) => `unknown field "${path}"`),
  ];
  if (problems.length > 0 && options.fieldValidation === 'Strict') {
    throw undecodable(kind, raw, `strict decoding error: ${problems.join(', ')}`, source);
  }
  if (options.fieldValidation === 'Warn') options.warnings.push(...problems);
  return decoded;
}

/** Refuses an object that says it is of another kind, or a custom resource that does not say what it is. */
function checkType(kind: KindDefinition, raw: Fields, options: WriteOptions, { patched }: Source): void {
  const apiVersion = apiVersionOf(kind);
  const given = textOf(raw, 'apiVersion') || (kind.isCustom !== true ? apiVersion : '');
  const givenKind = textOf(raw, 'kind') || (kind.isCustom !== true ? kind.kind : '');
  if (givenKind === '') {
    const why = `Object 'Kind' is missing in '${JSON.stringify(raw)}'`;
    if (patched) throw undecodablePatch(sortedJson(raw), why);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): ${why} (${JSON.stringify(raw)})`,
    );
  }
  if (given !== apiVersion && patched) {
    const cause = invalidValue('apiVersion', given, `must be ${apiVersion}`);
    throw invalid(groupOf(given), givenKind, textOf(raw, 'metadata', 'name'), [cause]);
  }
  if (given !== apiVersion) {
    if (options.fieldValidation === 'Warn' && givenKind === kind.kind && groupOf(given) === kind.group) {
      const strangers = Object.keys(raw).filter((key) => !['apiVersion', 'kind', 'metadata'].includes(key));
      options.warnings.push(...strangers.map((key) => `unknown field "${key}"`));
    }
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${apiVersion})`);
  }
  if (givenKind === kind.kind) return;
  if (kind.isCustom !== true) {
    const why = `converting (v1.${givenKind}) to (core.${kind.kind}): unknown conversion`;
    throw badRequest(`${givenKind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${why}`);
  }
  const cause = invalidValue('kind', givenKind, `must be ${kind.kind}`);
  throw invalid(kind.group, givenKind, textOf(raw, 'metadata', 'name'), [cause]);
}

const groupOf = (apiVersion: string) => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

function undecodable(kind: KindDefinition, raw: Fields, why: string, { patched, shown }: Source): StatusError {
  if (patched) return undecodablePatch(shown?.() ?? sortedJson(raw), why);
  return badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${why}`);
}
