import { type Fields, fieldsOf, isFields, textOf } from '../core/objects';
import { jsonType } from '../wire/json-problem';
import { BUILT_IN_SCHEMAS, referenceOf } from './schemas';

/** Texts that Go reads in ways of their own. */
const READ_OTHERWISE = ['byte', 'date-time'];

/**
 * The first value in a body of a built-in kind that is of another type than its field, in the words of Go's decoder;
 * undefined when there is none. Metadata is read by itself. (Types that are texts by another name are called string.)
 */
export function typeProblem(raw: Fields, schemaName: string): string | undefined {
  const { metadata: _metadata, ...fields } = raw;
  return problemIn(fields, fieldsOf(BUILT_IN_SCHEMAS, schemaName), { struct: lastOf(schemaName), path: '' });
}

/** Where a value is: the Go struct around it, and the fields to it, without indices and keys. */
interface Place {
  struct: string;
  path: string;
}

function problemIn(value: unknown, given: Fields, place: Place): string | undefined {
  if (value === null) return undefined;
  const reference = referenceOf(given);
  const schema = reference === undefined ? given : fieldsOf(BUILT_IN_SCHEMAS, reference);
  const type = textOf(schema, 'type');
  if (type === '' || READ_OTHERWISE.includes(textOf(schema, 'format'))) return undefined;
  if (!isOf(type, value)) {
    const found = typeof value === 'number' && type === 'integer' ? `number ${value}` : jsonType(value);
    return `json: cannot unmarshal ${found} into Go struct field ${place.struct}.${place.path} of type ${goType(given)}`;
  }
  if (Array.isArray(value)) {
    const items = fieldsOf(schema, 'items');
    return first(value, (item) => problemIn(item, items, place));
  }
  if (!isFields(value)) return undefined;
  const properties = fieldsOf(schema, 'properties');
  const others = fieldsOf(schema, 'additionalProperties');
  const struct = reference === undefined ? place.struct : lastOf(reference);
  return first(Object.entries(value), ([key, child]) => {
    if (!Object.hasOwn(properties, key)) return problemIn(child, others, place);
    return problemIn(child, fieldsOf(properties, key), {
      struct,
      path: place.path === '' ? key : `${place.path}.${key}`,
    });
  });
}

function first<T>(items: readonly T[], problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isFields(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function goType(schema: Fields): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) return reference.split('.').slice(-2).join('.');
  switch (schema.type) {
    case 'array':
      return `[]${goType(fieldsOf(schema, 'items'))}`;
    case 'object':
      return `map[string]${goType(fieldsOf(schema, 'additionalProperties'))}`;
    case 'integer':
      return textOf(schema, 'format') || 'int64';
    case 'number':
      return 'float64';
    default:
      return schema.type === 'boolean' ? 'bool' : 'string';
  }
}

const lastOf = (name: string) => name.split('.').at(-1) ?? name;
