import { parseDocument } from 'yaml';
import { apiVersionOf, type KindDefinition } from '../core/kind-definition';
import { type Fields, isFields, textOf } from '../core/objects';
import { badRequest, StatusError } from '../core/status';
import type { StructuralSchema } from '../schema/structural-schema';
import { type Body, plainJson } from '../wire/body';
import { elementOf, shapeOfSchema } from './shape';

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
  checkDeclared(kind, configuration);
  return { ...configuration, metadata: { ...metadata, name } };
}

/** Refuses fields that the schema does not declare, or declares otherwise. */
function checkDeclared({ schema }: KindDefinition, configuration: Fields): void {
  const problems: string[] = [];
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...fields } = configuration;
  check(fields, schema, '', problems);
  if (problems.length === 0) return;
  const object = `${textOf(configuration, 'metadata', 'namespace')}/${textOf(configuration, 'metadata', 'name')}`;
  const version = textOf(configuration, 'apiVersion');
  const which = `(${object}; ${version.includes('/') ? version : `/${version}`}, Kind=${textOf(configuration, 'kind')})`;
  const list = problems.length === 1 ? problems[0] : `errors:\n${problems.map((each) => `  ${each}`).join('\n')}`;
  throw new StatusError(500, `failed to create typed patch object ${which}: ${list}`);
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
    // Where a text is wanted, the value is shown as Go has it.
    const isShown = wanted === 'string' && (typeof value === 'number' || typeof value === 'boolean');
    const found = isShown ? `&value.valueUnstructured{Value:${value}}` : typeOf(value);
    problems.push(`${path}: expected ${wanted}, got ${found}`);
    return;
  }
  if (isFields(value)) {
    const { properties, additionalProperties } = schema;
    for (const [key, child] of Object.entries(value)) {
      const declared =
        properties?.[key] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      if (declared !== undefined) check(child, declared, `${path}.${key}`, problems);
      else if (schema['x-kubernetes-preserve-unknown-fields'] !== true && additionalProperties !== true) {
        problems.push(`${path}.${key}: field not declared in schema`);
      }
    }
  }
  if (Array.isArray(value)) checkList(value, schema, path, problems);
}

function checkList(value: unknown[], schema: StructuralSchema, path: string, problems: string[]): void {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const type = schema['x-kubernetes-list-type'];
  const shape = shapeOfSchema(schema);
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const name = type === 'map' ? keyText(item, keys) : String(index);
    if (schema.items !== undefined) check(item, schema.items, `${path}[${name}]`, problems);
    if (type !== 'map' && type !== 'set') continue;
    if (type === 'map' && !(isFields(item) && keys.some((key) => item[key] !== undefined))) {
      problems.push(
        `${path}: element ${index}: associative list with keys has an element that omits all key fields ${JSON.stringify(keys)} (and doesn't have default values for any key fields)`,
      );
      continue;
    }
    const element = elementOf(item, shape);
    if (seen.has(element)) {
      const key = type === 'set' ? element.slice(2) : keyText(item, keys);
      problems.push(`${path}: duplicate entries for key [${type === 'set' ? `=${key}` : key}]`);
    }
    seen.add(element);
  }
}

const keyText = (item: unknown, keys: readonly string[]) =>
  keys.map((key) => `${key}=${JSON.stringify(isFields(item) ? item[key] : undefined)}`).join(',');
