import { type Fields, isFields, own } from './objects';

/** The part of OpenAPI v3 that a CustomResourceDefinition's structural schema uses. */
export interface StructuralSchema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  properties?: Record<string, StructuralSchema>;
  additionalProperties?: StructuralSchema | boolean;
  items?: StructuralSchema;
  required?: readonly string[];
  enum?: readonly unknown[];
  default?: unknown;
  nullable?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  pattern?: string;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: readonly string[];
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
  'x-kubernetes-validations'?: readonly { rule: string; message: string }[];
}

/** Visits the children of a value that its schema knows; copies a parent only where a child changed. */
function mapChildren(
  value: unknown,
  schema: StructuralSchema,
  visit: (child: unknown, schema: StructuralSchema, key: string) => unknown,
): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    const mapped = value.map((item, index) => visit(item, items, `[${index}]`));
    return mapped.some((item, index) => item !== value[index]) ? mapped : value;
  }
  if (!isFields(value)) return value;
  let changed: Fields | undefined;
  for (const key of Object.keys(value)) {
    const child = schemaOfField(schema, key);
    if (child === undefined) continue;
    const before = value[key];
    const after = visit(before, child, key);
    if (after === before) continue;
    changed ??= { ...value };
    changed[key] = after;
  }
  return changed ?? value;
}

function schemaOfField(schema: StructuralSchema, key: string): StructuralSchema | undefined {
  const property = schema.properties && own(schema.properties, key);
  if (property !== undefined) return property;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

export function joinPath(path: string, key: string): string {
  return path === '' || key.startsWith('[') ? path + key : `${path}.${key}`;
}

/** Drops the fields that the schema does not know; each one's path is added to `unknown`. */
export function prune(value: unknown, schema: StructuralSchema, unknown: string[], path = ''): unknown {
  let kept = value;
  const openEnded = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
  if (isFields(value) && !openEnded) {
    const strangers = Object.keys(value).filter((key) => schemaOfField(schema, key) === undefined);
    if (strangers.length > 0) {
      unknown.push(...strangers.map((key) => joinPath(path, key)));
      kept = Object.fromEntries(Object.entries(value).filter(([key]) => !strangers.includes(key)));
    }
  }
  return mapChildren(kept, schema, (child, childSchema, key) =>
    prune(child, childSchema, unknown, joinPath(path, key)),
  );
}

/** Fills in defaults; a null where the schema has a default and allows no null counts as absent. */
export function withDefaults(value: unknown, schema: StructuralSchema): unknown {
  let filled = value;
  if (isFields(value) && schema.properties !== undefined) {
    for (const [key, property] of Object.entries(schema.properties)) {
      if (property.default === undefined) continue;
      const present = isFields(filled) ? own(filled, key) : undefined;
      if (present === undefined || (present === null && property.nullable !== true)) {
        filled = { ...(isFields(filled) ? filled : {}), [key]: property.default };
      }
    }
  }
  return mapChildren(filled, schema, withDefaults);
}
