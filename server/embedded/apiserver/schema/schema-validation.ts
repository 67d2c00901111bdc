import { type Cause, duplicate, invalidValue, required, tooLong, unsupportedValue, wrongType } from '../core/causes';
import { isFields } from '../core/objects';
import { celRuleHolds } from './cel-rules';
import { joinPath, type StructuralSchema } from './structural-schema';

const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/**
 * What kube-apiserver says about a custom resource that does not fit its schema. `old` is the stored value of an
 * update: rules that compare with it are checked then only.
 */
export function validateSchema(
  value: unknown,
  old: unknown,
  schema: StructuralSchema,
  causes: Cause[],
  within = '',
): void {
  const found: Cause[] = [];
  validateValue(value, schema, '', found);
  // Sentences name a field from the part on that is written.
  causes.push(...found.map((cause) => ({ ...cause, message: cause.message.replace(`: ${within}`, ': ') })));
  if (!hasRules(schema)) return;
  if (causes.some((cause) => BLOCKING.has(cause.reason))) {
    causes.push({
      reason: 'FieldValueInvalid',
      message:
        'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      field: '<nil>',
    });
    return;
  }
  validateRules(value, old, schema, '', causes);
}

const rulesOf = new WeakMap<StructuralSchema, boolean>();

function hasRules(schema: StructuralSchema): boolean {
  let known = rulesOf.get(schema);
  if (known === undefined) {
    known = JSON.stringify(schema).includes('"x-kubernetes-validations"');
    rulesOf.set(schema, known);
  }
  return known;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function fits(value: unknown, schema: StructuralSchema): boolean {
  const type = typeOf(value);
  if (type === 'null')
    return schema.nullable === true || (schema.type === undefined && !schema['x-kubernetes-int-or-string']);
  if (schema['x-kubernetes-int-or-string'] === true) return type === 'integer' || type === 'string';
  if (schema.type === undefined) return true;
  return type === schema.type || (schema.type === 'number' && type === 'integer');
}

function validateValue(value: unknown, schema: StructuralSchema, path: string, causes: Cause[]): void {
  if (!fits(value, schema)) {
    const wanted = schema['x-kubernetes-int-or-string'] === true ? 'integer,string' : schema.type;
    const found = typeOf(value);
    causes.push(wrongType(path, found, `${path} in body must be of type ${wanted}: "${found}"`));
    if (schema.enum !== undefined && found !== 'null') causes.push(unsupportedValue(path, value, schema.enum));
    return;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    causes.push(unsupportedValue(path, value, schema.enum));
  }
  if (typeof value === 'string') validateString(value, schema, path, causes);
  else if (typeof value === 'number') validateNumber(value, schema, path, causes);
  else if (Array.isArray(value)) validateList(value, schema, path, causes);
  else if (isFields(value)) {
    for (const field of schema.required ?? []) {
      const isMissing =
        value[field] === undefined || (value[field] === null && schema.properties?.[field]?.nullable !== true);
      if (isMissing) causes.push(required(joinPath(path, field)));
    }
    const count = Object.keys(value).length;
    if (schema.maxProperties !== undefined && count > schema.maxProperties) {
      causes.push(tooMany(path, count, schema.maxProperties));
    }
    const { additionalProperties } = schema;
    for (const [key, child] of Object.entries(value)) {
      const childSchema =
        schema.properties?.[key] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      // A null where something is required is missing, and nothing else.
      if (child === null && childSchema?.nullable !== true && schema.required?.includes(key)) continue;
      if (childSchema !== undefined) validateValue(child, childSchema, joinPath(path, key), causes);
    }
  }
}

const tooMany = (field: string, count: number, limit: number): Cause => ({
  reason: 'FieldValueTooMany',
  message: `Too many: ${count}: must have at most ${limit} items`,
  field,
});

function validateString(value: string, schema: StructuralSchema, path: string, causes: Cause[]): void {
  if (schema.format === 'date-time' && !isDateTime(value)) {
    causes.push(wrongType(path, value, `${path} in body must be of type date-time: ${JSON.stringify(value)}`));
  }
  if (schema.minLength !== undefined && [...value].length < schema.minLength) {
    causes.push(invalidValue(path, value, `${path} in body should be at least ${schema.minLength} chars long`));
  }
  if (schema.maxLength !== undefined && [...value].length > schema.maxLength) {
    causes.push(tooLong(path, schema.maxLength));
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
    causes.push(invalidValue(path, value, `${path} in body should match '${schema.pattern}'`));
  }
}

function isDateTime(value: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value))
  );
}

function validateNumber(value: number, schema: StructuralSchema, path: string, causes: Cause[]): void {
  if (schema.minimum !== undefined && value < schema.minimum) {
    causes.push(invalidValue(path, value, `${path} in body should be greater than or equal to ${schema.minimum}`));
  }
  if (schema.maximum !== undefined && value > schema.maximum) {
    causes.push(invalidValue(path, value, `${path} in body should be less than or equal to ${schema.maximum}`));
  }
}

function validateList(value: unknown[], schema: StructuralSchema, path: string, causes: Cause[]): void {
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    causes.push(invalidValue(path, value.length, `${path} in body should have at least ${schema.minItems} items`));
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    causes.push(tooMany(path, value.length, schema.maxItems));
  }
  const { items } = schema;
  if (items !== undefined) {
    value.forEach((item, index) => {
      validateValue(item, items, `${path}[${index}]`, causes);
    });
  }
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  value.forEach((item, index) => {
    const identity =
      listType === 'map' && isFields(item) ? Object.fromEntries(keys.map((key) => [key, item[key]])) : item;
    const text = JSON.stringify(identity);
    if (seen.has(text)) causes.push(duplicate(`${path}[${index}]`, identity));
    seen.add(text);
  });
}

function validateRules(value: unknown, old: unknown, schema: StructuralSchema, path: string, causes: Cause[]): void {
  for (const { rule, message } of schema['x-kubernetes-validations'] ?? []) {
    if (value !== undefined && !celRuleHolds(rule, value, old)) {
      causes.push(invalidValue(path, typeof value === 'object' ? typeOf(value) : value, message));
    }
  }
  const { items } = schema;
  if (Array.isArray(value) && items !== undefined) {
    value.forEach((item, index) => {
      validateRules(item, undefined, items, `${path}[${index}]`, causes);
    });
  } else if (isFields(value)) {
    for (const [key, child] of Object.entries(schema.properties ?? {})) {
      if (value[key] !== undefined) {
        validateRules(value[key], isFields(old) ? old[key] : undefined, child, joinPath(path, key), causes);
      }
    }
  }
}
