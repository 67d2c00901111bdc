import { type Fields, isFields, own, setOwn } from '../core/objects';

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
  /** How a strategic merge patch treats a list, and the field that tells its items apart; of built-in kinds only. */
  'x-kubernetes-patch-strategy'?: string;
  'x-kubernetes-patch-merge-key'?: string;
  'x-kubernetes-validations'?: readonly { rule: string; message: string }[];
}

export function schemaOfField(schema: StructuralSchema, key: string): StructuralSchema | undefined {
  const property = schema.properties && own(schema.properties, key);
  if (property !== undefined) return property;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

export function joinPath(path: string, key: string): string {
  return path === '' || key.startsWith('[') ? path + key : `${path}.${key}`;
}

/** Drops the fields that the schema does not know; each one's path is added to `unknown`, in the order of the document. */
export function prune(value: unknown, schema: StructuralSchema, unknown: string[], path = ''): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    const mapped = value.map((item, index) => prune(item, items, unknown, `${path}[${index}]`));
    return mapped.some((item, index) => item !== value[index]) ? mapped : value;
  }
  if (!isFields(value)) return value;
  const openEnded = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
  let changed: Fields | undefined;
  for (const key of Object.keys(value)) {
    const child = schemaOfField(schema, key);
    if (child === undefined && openEnded) continue;
    const after = child && prune(value[key], child, unknown, joinPath(path, key));
    if (child === undefined) unknown.push(joinPath(path, key));
    else if (after === value[key]) continue;
    changed ??= { ...value };
    if (child === undefined) delete changed[key];
    else setOwn(changed, key, after);
  }
  return changed ?? value;
}

/** The fields of an object that its schema knows; each other one's path is added to `unknown`. */
export function keepKnown(fields: Fields, schema: StructuralSchema, unknown: string[]): Fields {
  const kept = prune(fields, schema, unknown);
  return isFields(kept) ? kept : {};
}

/** Visits the children of a value that its schema knows; copies a parent only where a child changed. */
function mapChildren(
  value: unknown,
  schema: StructuralSchema,
  visit: (child: unknown, schema: StructuralSchema) => unknown,
): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return value;
    const mapped = value.map((item) => visit(item, items));
    return mapped.some((item, index) => item !== value[index]) ? mapped : value;
  }
  if (!isFields(value)) return value;
  let changed: Fields | undefined;
  for (const key of Object.keys(value)) {
    const child = schemaOfField(schema, key);
    if (child === undefined) continue;
    const before = value[key];
    const after = visit(before, child);
    if (after === before) continue;
    changed ??= { ...value };
    setOwn(changed, key, after);
  }
  return changed ?? value;
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
