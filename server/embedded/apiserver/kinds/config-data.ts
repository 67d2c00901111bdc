import { type Cause, forbidden, invalidValue, required } from '../core/causes';
import type { KindRules } from '../core/kind-definition';
import { deepEqual, type Fields, fieldsOf, isFields, type KubeObject } from '../core/objects';
import { jsonType } from '../wire/json-problem';

const CONFIG_KEY =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

export const CONFIG_MAP_RULES: KindRules = {
  problem: (raw) => textsProblem(raw, 'ConfigMap', ['data', 'binaryData']),
  normalize: (object) => withoutEmpty(object, ['data', 'binaryData']),
  validate: (object, old, _part, causes) => {
    validateKeys(object, ['data', 'binaryData'], causes);
    validateImmutable(object, old, ['data', 'binaryData'], causes);
  },
};

export const SECRET_RULES: KindRules = {
  problem: (raw) => {
    const problem = textsProblem(raw, 'Secret', ['data', 'stringData']);
    if (problem !== undefined) return problem;
    const strange = Object.values(fieldsOf(raw, 'data'))
      .map((value) => String(value).search(/[^A-Za-z0-9+/=]/))
      .find((at) => at >= 0);
    return strange === undefined ? undefined : `illegal base64 data at input byte ${strange}`;
  },
  normalize: storedSecret,
  validate: (object, old, _part, causes) => validateSecret(object, old, causes),
};

/** The first value of some fields that is no text, in the decoder's words. */
function textsProblem(raw: Fields, kind: string, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const wrong = Object.values(fieldsOf(raw, field)).find((value) => typeof value !== 'string');
    if (wrong === undefined) continue;
    return `json: cannot unmarshal ${jsonType(wrong)} into Go struct field ${kind}.${field} of type string`;
  }
  return undefined;
}

/** Plain texts are kept encoded, with the other data. */
function storedSecret({ stringData: texts, ...secret }: KubeObject): KubeObject {
  const encoded = Object.entries(isFields(texts) ? texts : {}).map(([key, text]) => [
    key,
    Buffer.from(String(text)).toString('base64'),
  ]);
  const data = { ...fieldsOf({ secret }, 'secret', 'data'), ...Object.fromEntries(encoded) };
  return { type: 'Opaque', ...secret, ...(Object.keys(data).length === 0 ? {} : { data }) } as KubeObject;
}

function withoutEmpty(object: KubeObject, fields: readonly string[]): KubeObject {
  const isEmpty = (field: string) => isFields(object[field]) && Object.keys(fieldsOf(object, field)).length === 0;
  if (!fields.some(isEmpty)) return object;
  return Object.fromEntries(
    Object.entries(object).filter(([field]) => !fields.includes(field) || !isEmpty(field)),
  ) as KubeObject;
}

function validateKeys(object: KubeObject, fields: readonly string[], causes: Cause[]): void {
  const seen = new Set<string>();
  // Plain data is looked at last, so that it is what a duplicate key is blamed on.
  for (const field of [...fields].reverse()) {
    for (const key of Object.keys(fieldsOf(object, field))) {
      if (!/^[-._a-zA-Z0-9]+$/.test(key)) causes.push(invalidValue(`${field}[${key}]`, key, CONFIG_KEY));
      if (seen.has(key)) causes.push(invalidValue(`${field}[${key}]`, key, 'duplicate of key present in binaryData'));
      seen.add(key);
    }
  }
}

function validateImmutable(
  object: KubeObject,
  old: KubeObject | undefined,
  fields: readonly string[],
  causes: Cause[],
): void {
  if (old?.immutable !== true) return;
  const why = 'field is immutable when `immutable` is set';
  if (object.immutable !== true) causes.push(forbidden('immutable', why));
  for (const field of fields) {
    if (!deepEqual(fieldsOf(object, field), fieldsOf(old, field))) causes.push(forbidden(field, why));
  }
}

function validateSecret(object: KubeObject, old: KubeObject | undefined, causes: Cause[]): void {
  validateKeys(object, ['data'], causes);
  if (old === undefined && object.type === 'kubernetes.io/tls') {
    for (const key of ['tls.crt', 'tls.key']) {
      if (fieldsOf(object, 'data')[key] === undefined) causes.push(required(`data[${key}]`));
    }
  }
  if (old !== undefined && object.type !== old.type) {
    causes.push(invalidValue('type', object.type, 'field is immutable'));
  }
  validateImmutable(object, old, ['data'], causes);
}
