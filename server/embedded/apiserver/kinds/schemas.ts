import { readFileSync } from 'node:fs';
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../core/objects';
import type { StructuralSchema } from '../schema/structural-schema';

const REF = '#/components/schemas/';

/** The OpenAPI v3 schemas of the built-in kinds, and of what is inside them, by name; schemas/README.md says whence. */
export const BUILT_IN_SCHEMAS: Readonly<Record<string, Fields>> = JSON.parse(
  readFileSync(new URL('../../schemas/kubernetes.json', import.meta.url), 'utf8'),
);

const nameOfKind = new Map(
  Object.entries(BUILT_IN_SCHEMAS).flatMap(([name, schema]) =>
    listOf(schema, 'x-kubernetes-group-version-kind').map((gvk): [string, string] => [
      `${textOf(gvk, 'group')}/${textOf(gvk, 'kind')}`,
      name,
    ]),
  ),
);

/** The name of a built-in kind's schema. */
export function schemaNameOf({ group, kind }: { group: string; kind: string }): string {
  const name = nameOfKind.get(`${group}/${kind}`);
  if (name === undefined) throw new Error(`there is no schema of ${kind} in group "${group}"`);
  return name;
}

/** The name of the schema that another one stands for. */
export function referenceOf(schema: unknown): string | undefined {
  const [reference] = [schema, ...listOf(schema, 'allOf')]
    .map((part) => textOf(part, '$ref'))
    .filter((ref) => ref !== '');
  return reference?.slice(REF.length);
}

const resolved = new Map<string, StructuralSchema>();

/**
 * A schema with what it refers to in its place; one that contains itself stays so. Defaults that say what Go makes of
 * a missing field are left out.
 */
export function builtInSchema(name: string): StructuralSchema {
  const known = resolved.get(name);
  if (known !== undefined) return known;
  const schema: StructuralSchema = {};
  // Before its fields, which may refer back to it.
  resolved.set(name, schema);
  return Object.assign(schema, structural(BUILT_IN_SCHEMAS[name]));
}

function structural(given: unknown): StructuralSchema {
  const reference = referenceOf(given);
  if (reference !== undefined) return builtInSchema(reference);
  const { default: value, items, properties, additionalProperties, ...rest } = fieldsOf({ given }, 'given');
  const isZero = value === undefined || value === '' || isFields(value);
  const schema: StructuralSchema = { ...rest, ...(isZero ? {} : { default: value }) };
  if (items !== undefined) schema.items = structural(items);
  if (isFields(additionalProperties)) schema.additionalProperties = structural(additionalProperties);
  if (isFields(properties)) {
    schema.properties = Object.fromEntries(
      Object.entries(properties).map(([field, child]) => [field, structural(child)]),
    );
  }
  // What says nothing of its fields may have any.
  const isOpen = items === undefined && properties === undefined && additionalProperties === undefined;
  return isOpen ? { ...schema, 'x-kubernetes-preserve-unknown-fields': true } : schema;
}
