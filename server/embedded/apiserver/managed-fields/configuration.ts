import { parseDocument } from 'yaml';
import { type Body, plainJson } from '../body';
import { apiVersionOf, type KindDefinition } from '../kinds';
import { type Fields, isFields, textOf } from '../objects';
import { badRequest, StatusError } from '../status';
import { joinPath, type StructuralSchema } from '../structural-schema';
import { elementOf } from './shape';

/** The configuration in the body of an apply: an object of the kind, of which every field is declared. */
export function readConfiguration(kind: KindDefinition, name: string, { text }: Body): Fields {
  const document = parseDocument(text, { logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = error.linePos?.[0].line ?? 1;
    throw badRequest(
      `error decoding YAML: error converting YAML to JSON: yaml: line ${line}: did not find expected node content`,
    );
  }
  let configuration: unknown;
  try {
    configuration = plainJson(document.toJS());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${why}`);
  }
  if (!isFields(configuration)) throw badRequest('error decoding YAML: the configuration is no object');
  const { apiVersion, kind: given } = {
    apiVersion: textOf(configuration, 'apiVersion'),
    kind: textOf(configuration, 'kind'),
  };
  if (apiVersion !== apiVersionOf(kind) || given !== kind.kind) {
    throw badRequest(`invalid object type: ${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${given}`);
  }
  const metadata = isFields(configuration.metadata) ? configuration.metadata : {};
  const own = textOf(metadata, 'name') || name;
  if (own !== name) throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
  if (metadata.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  if (kind.custom !== undefined) {
    const problems: string[] = [];
    for (const [field, schema] of Object.entries(kind.custom.schema.properties ?? {})) {
      if (!['apiVersion', 'kind', 'metadata'].includes(field))
        check(configuration[field], schema, `.${field}`, problems);
    }
    if (problems.length > 0) {
      const namespace = textOf(metadata, 'namespace');
      const which = `(${namespace}/${textOf(metadata, 'name')}; ${apiVersion}, Kind=${given})`;
      const list = problems.length === 1 ? problems[0] : `errors:\n${problems.map((each) => `  ${each}`).join('\n')}`;
      throw new StatusError(500, `failed to create typed patch object ${which}: ${list}`);
    }
  }
  return { ...configuration, metadata: { ...metadata, name } };
}

const EXPECTED: Record<string, string> = {
  integer: 'numeric (int or float)',
  number: 'numeric (int or float)',
  string: 'string',
  boolean: 'boolean',
  object: 'map',
  array: 'list',
};

const typeOf = (value: unknown) =>
  Array.isArray(value)
    ? 'list'
    : isFields(value)
      ? 'map'
      : typeof value === 'number'
        ? 'numeric (int or float)'
        : typeof value;

/** Fields that are not declared, values of another type, items of a list that cannot be told apart. */
function check(value: unknown, schema: StructuralSchema, path: string, problems: string[]): void {
  if (value === undefined || value === null || schema['x-kubernetes-int-or-string'] === true) return;
  const wanted = EXPECTED[schema.type ?? ''];
  if (wanted !== undefined && typeOf(value) !== wanted) {
    problems.push(`${path}: expected ${wanted}, got ${typeOf(value)}`);
    return;
  }
  if (isFields(value)) {
    const { properties, additionalProperties } = schema;
    for (const [key, child] of Object.entries(value)) {
      const declared =
        properties?.[key] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      if (declared !== undefined) check(child, declared, joinPath(path, key), problems);
      else if (schema['x-kubernetes-preserve-unknown-fields'] !== true && additionalProperties !== true) {
        problems.push(`${joinPath(path, key)}: field not declared in schema`);
      }
    }
  }
  if (Array.isArray(value)) checkList(value, schema, path, problems);
}

function checkList(value: unknown[], schema: StructuralSchema, path: string, problems: string[]): void {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const type = schema['x-kubernetes-list-type'];
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    if (schema.items !== undefined) check(item, schema.items, `${path}[${index}]`, problems);
    if (type !== 'map' && type !== 'set') continue;
    if (type === 'map' && !(isFields(item) && keys.some((key) => item[key] !== undefined))) {
      problems.push(
        `${path}: element ${index}: associative list with keys has an element that omits all key fields ${JSON.stringify(keys)} (and doesn't have default values for any key fields)`,
      );
      continue;
    }
    const shape = { atomic: false, list: type === 'map' ? keys : ('set' as const) };
    const element = elementOf(item, shape as Parameters<typeof elementOf>[1]);
    if (seen.has(element)) {
      const key = type === 'set' ? element.slice(2) : keyText(item, keys);
      problems.push(`${path}: duplicate entries for key [${type === 'set' ? `=${key}` : key}]`);
    }
    seen.add(element);
  }
}

const keyText = (item: unknown, keys: readonly string[]) =>
  keys.map((key) => `${key}=${JSON.stringify(isFields(item) ? item[key] : undefined)}`).join(',');
