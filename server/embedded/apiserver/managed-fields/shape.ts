import type { KindDefinition } from '../core/kind-definition';
import { type Fields, isFields } from '../core/objects';
import type { StructuralSchema } from '../schema/structural-schema';

/** How a value is owned: as a whole, or by its parts. */
export interface Shape {
  /** One value, whatever is in it. */
  atomic: boolean;
  /** A list whose items are owned one by one: a set of values, or items told apart by these fields. */
  list?: 'set' | readonly string[];
  /** What the fields that tell items apart are where an item does not say. */
  keyDefaults?: Fields;
  field(name: string): Shape;
  item(): Shape;
}

/** Where nothing is declared, objects are owned by their fields and lists as a whole. */
const ANY: Shape = { atomic: false, field: () => ANY, item: () => ANY };

const set: Shape = { ...ANY, list: 'set' };
const keyed = (...keys: string[]): Shape => ({ ...ANY, list: keys });

const METADATA: Shape = {
  ...ANY,
  field: (name) => (name === 'finalizers' ? set : name === 'ownerReferences' ? keyed('uid') : ANY),
};

function keyDefaultsOf({ items, 'x-kubernetes-list-map-keys': keys = [] }: StructuralSchema): Fields {
  const defaults = keys.map((key) => [key, items?.properties?.[key]?.default] as const);
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
}

export function shapeOfSchema(schema: StructuralSchema): Shape {
  const listType = schema['x-kubernetes-list-type'];
  return {
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    ...(listType === 'set' ? { list: 'set' } : {}),
    ...(listType === 'map'
      ? { list: schema['x-kubernetes-list-map-keys'] ?? [], keyDefaults: keyDefaultsOf(schema) }
      : {}),
    field: (name) => {
      const { additionalProperties } = schema;
      const field =
        schema.properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      return field === undefined ? ANY : shapeOfSchema(field);
    },
    item: () => (schema.items === undefined ? ANY : shapeOfSchema(schema.items)),
  };
}

/** How the objects of a kind are owned. */
export function shapeOf({ schema }: KindDefinition): Shape {
  const whole = shapeOfSchema(schema);
  return { ...whole, field: (name) => (name === 'metadata' ? METADATA : whole.field(name)) };
}

/** The parts of a value with the names they have in a set of fields; undefined for a value that is owned as a whole. */
export function partsOf(value: unknown, shape: Shape): Map<string, { value: unknown; shape: Shape }> | undefined {
  if (isFields(value) && !shape.atomic) {
    return new Map(
      Object.entries(value)
        .filter(([, child]) => child !== undefined)
        .map(([name, child]) => [`f:${name}`, { value: child, shape: shape.field(name) }]),
    );
  }
  if (!Array.isArray(value) || shape.list === undefined) return undefined;
  return new Map(value.map((item) => [elementOf(item, shape), { value: item, shape: shape.item() }]));
}

/** What an item of a list is called in a set of fields. */
export function elementOf(item: unknown, { list, keyDefaults }: Pick<Shape, 'list' | 'keyDefaults'>): string {
  if (list === 'set' || list === undefined) return `v:${JSON.stringify(item)}`;
  const fields: Fields = { ...keyDefaults, ...(isFields(item) ? item : {}) };
  const keys = [...list].sort().filter((key) => fields[key] !== undefined);
  return `k:${JSON.stringify(Object.fromEntries(keys.map((key) => [key, fields[key]])))}`;
}
