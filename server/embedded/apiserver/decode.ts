import { rbacProblem } from './auth/decode-rbac';
import { coreProblem, withoutStrangers } from './core-fields';
import { apiVersionOf, type KindDefinition } from './kinds';
import { decodeMeta } from './object-meta';
import { type Fields, type ObjectMeta, sortedJson, textOf } from './objects';
import { badRequest, invalid, invalidValue, type StatusError, undecodablePatch } from './status';
import { prune, withDefaults } from './structural-schema';

/** What a writer wants of the request besides the object. */
export interface WriteOptions {
  dryRun: boolean;
  fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** Texts for `Warning` headers of the answer. */
  warnings: string[];
}

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
  /** Paths of duplicate keys in the text of the body. */
  duplicates: readonly string[];
}

/**
 * Reads an object of a kind: checks apiVersion and kind, drops unknown fields (or refuses or warns, by
 * fieldValidation) and fills in the schema's defaults.
 */
export function decodeObject(kind: KindDefinition, raw: Fields, options: WriteOptions, source: Source): DraftObject {
  const apiVersion = apiVersionOf(kind);
  const given = textOf(raw, 'apiVersion') || (kind.custom === undefined ? apiVersion : '');
  const givenKind = textOf(raw, 'kind') || (kind.custom === undefined ? kind.kind : '');
  if (givenKind === '') {
    const why = `Object 'Kind' is missing in '${JSON.stringify(raw)}'`;
    if (source.patched) throw undecodablePatch(sortedJson(raw), why);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): ${why} (${JSON.stringify(raw)})`,
    );
  }
  if (given !== apiVersion && source.patched) {
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
  if (givenKind !== kind.kind) {
    if (kind.custom === undefined) {
      const why = `converting (v1.${givenKind}) to (core.${kind.kind}): unknown conversion`;
      throw badRequest(`${givenKind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${why}`);
    }
    const cause = invalidValue('kind', givenKind, `must be ${kind.kind}`);
    throw invalid(kind.group, givenKind, textOf(raw, 'metadata', 'name'), [cause]);
  }

  const unknown: string[] = [];
  const meta = decodeMeta(raw.metadata, unknown);
  if ('problem' in meta) throw undecodable(kind, raw, meta.problem, source.patched);
  const problem = kind.group === 'rbac.authorization.k8s.io' ? rbacProblem(kind, raw) : undefined;
  if (problem !== undefined) throw undecodable(kind, raw, problem, source.patched);
  let object: DraftObject = { ...raw, apiVersion, kind: kind.kind, metadata: meta.metadata };
  if (kind.custom !== undefined) {
    const { apiVersion: _version, kind: _kind, metadata: _metadata, ...fields } = object;
    const kept = withDefaults(prune(fields, kind.custom.schema, unknown), kind.custom.schema) as Fields;
    object = { apiVersion, kind: kind.kind, metadata: meta.metadata, ...kept };
  }

  if (kind.custom === undefined) {
    const problem = coreProblem(kind, object);
    if (problem !== undefined) throw undecodable(kind, raw, problem, source.patched);
    object = withoutStrangers(kind, object, unknown);
  }
  const problems = [
    ...source.duplicates.map((path) => `duplicate field "${path}"`),
    ...unknown.sort().map((path) => `unknown field "${path}"`),
  ];
  if (problems.length > 0 && options.fieldValidation === 'Strict') {
    throw undecodable(kind, raw, `strict decoding error: ${problems.join(', ')}`, source.patched);
  }
  if (options.fieldValidation === 'Warn') options.warnings.push(...problems);
  return object;
}

const groupOf = (apiVersion: string) => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

function undecodable(kind: KindDefinition, raw: Fields, why: string, patched: boolean): StatusError {
  if (patched) return undecodablePatch(sortedJson(raw), why);
  return badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${why}`);
}
