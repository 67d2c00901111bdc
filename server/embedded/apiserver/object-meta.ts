import { type Fields, fieldsOf, isFields, listOf, type ObjectMeta, type OwnerReference } from './objects';
import { type Cause, invalidValue, required, tooLong } from './status';

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const DNS_LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const QUALIFIED_NAME =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_KEY = `${QUALIFIED_NAME.replace('name part must', 'a valid label key must')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
const LABEL_VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const ANNOTATIONS_LIMIT = 256 * 1024;

export function subdomainProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > 253) problems.push('must be no more than 253 characters');
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(value)) problems.push(SUBDOMAIN);
  return problems;
}

export function dnsLabelProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.includes('.')) return ['must not contain dots'];
  if (value.length > 63) problems.push('must be no more than 63 characters');
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(value)) problems.push(DNS_LABEL);
  return problems;
}

export function labelKeyProblems(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) return [LABEL_KEY];
  const [prefix, name = ''] = parts.length === 2 ? parts : [undefined, parts[0]];
  const problems: string[] = [];
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) problems.push(...subdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 characters');
  if (name !== '' && !/^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/.test(name)) problems.push(QUALIFIED_NAME);
  return problems;
}

export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push('must be no more than 63 bytes');
  if (!/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/.test(value)) problems.push(LABEL_VALUE);
  return problems;
}

export function validateLabels(labels: Fields, path: string, causes: Cause[]): void {
  for (const [key, value] of Object.entries(labels)) {
    for (const problem of labelKeyProblems(key)) causes.push(invalidValue(path, key, problem));
    for (const problem of labelValueProblems(String(value))) causes.push(invalidValue(path, value, problem));
  }
}

function validateAnnotations(annotations: Fields, causes: Cause[]): void {
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const problem of labelKeyProblems(key.toLowerCase())) {
      causes.push(invalidValue('metadata.annotations', key, problem));
    }
    size += Buffer.byteLength(key) + Buffer.byteLength(String(value));
  }
  if (size > ANNOTATIONS_LIMIT) causes.push(tooLong('metadata.annotations', ANNOTATIONS_LIMIT));
}

export function validateMeta(metadata: ObjectMeta, nameRule: 'subdomain' | 'label' | 'path', causes: Cause[]): void {
  if (metadata.name === '') {
    causes.push(required('metadata.name', 'name or generateName is required'));
  } else if (nameRule === 'path') {
    if (/[/%]/.test(metadata.name))
      causes.push(invalidValue('metadata.name', metadata.name, "may not contain '/' or '%'"));
  } else {
    const problems = nameRule === 'label' ? dnsLabelProblems(metadata.name) : subdomainProblems(metadata.name);
    causes.push(...problems.map((problem) => invalidValue('metadata.name', metadata.name, problem)));
  }
  const { generateName: base } = metadata;
  if (base !== undefined && nameRule === 'subdomain') {
    // What is made of it ends well, whatever it ends with.
    const problems = subdomainProblems(base.replace(/-$/, 'a'));
    causes.push(...problems.map((problem) => invalidValue('metadata.generateName', base, problem)));
  }
  for (const finalizer of metadata.finalizers ?? []) {
    const problems = labelKeyProblems(finalizer);
    causes.push(...problems.map((problem) => invalidValue('metadata.finalizers', finalizer, problem)));
  }
  validateOwners(metadata.ownerReferences ?? [], causes);
  if (metadata.labels !== undefined) validateLabels(metadata.labels, 'metadata.labels', causes);
  if (metadata.annotations !== undefined) validateAnnotations(metadata.annotations, causes);
}

function validateOwners(owners: readonly OwnerReference[], causes: Cause[]): void {
  for (const owner of owners) {
    for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if ((owner[field] ?? '') !== '') continue;
      const what = field === 'apiVersion' ? 'version ' : '';
      causes.push(invalidValue(`metadata.ownerReferences.${field}`, '', `${what}must not be empty`));
    }
  }
  const [one, two] = owners.filter(({ controller }) => controller === true);
  if (one === undefined || two === undefined) return;
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${one.kind}/${one.name} and ${two.kind}/${two.name}`;
  causes.push(invalidValue('metadata.ownerReferences', owners, why));
}

const KNOWN = new Set([
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
]);

/**
 * Reads the metadata of a body. Unknown fields are dropped and named in `unknown`; what the server alone may set is
 * taken as given (the caller replaces it). Returns the reason, in the decoder's words, when it cannot be read.
 */
export function decodeMeta(value: unknown, unknown: string[]): { metadata: Partial<ObjectMeta> } | { problem: string } {
  if (value === undefined || value === null) return { metadata: {} };
  if (!isFields(value)) return { problem: 'json: cannot unmarshal metadata into Go value of type v1.ObjectMeta' };
  const metadata: Fields = {};
  for (const [key, child] of Object.entries(value)) {
    if (!KNOWN.has(key)) unknown.push(`metadata.${key}`);
    // Who owns what is for the server to say, but it may be made to forget.
    else if (key === 'managedFields' ? isForgotten(child) : child !== null && key !== 'selfLink') metadata[key] = child;
  }
  for (const key of ['labels', 'annotations'] as const) {
    const map = metadata[key];
    if (map === undefined) continue;
    if (!isFields(map)) return { problem: unmarshal(map, `${key} of type map[string]string`) };
    const wrong = Object.values(map).find((item) => typeof item !== 'string' && item !== null);
    if (wrong !== undefined) return { problem: unmarshal(wrong, `${key} of type string`) };
    // What is null is as good as empty.
    if (Object.keys(map).length === 0) delete metadata[key];
    else metadata[key] = Object.fromEntries(Object.entries(map).map(([name, item]) => [name, item ?? '']));
  }
  for (const key of ['name', 'namespace', 'generateName', 'uid', 'resourceVersion'] as const) {
    const text = metadata[key];
    if (text !== undefined && typeof text !== 'string') return { problem: unmarshal(text, `${key} of type string`) };
  }
  for (const [key, type] of [
    ['finalizers', 'string'],
    ['ownerReferences', 'v1.OwnerReference'],
  ] as const) {
    const list = metadata[key];
    if (list === undefined) continue;
    if (!Array.isArray(list)) return { problem: unmarshal(list, `${key} of type []${type}`) };
    const isRight = (item: unknown) => item === null || (type === 'string' ? typeof item === 'string' : isFields(item));
    const wrong = list.find((item) => !isRight(item));
    if (wrong !== undefined) return { problem: unmarshal(wrong, `${key} of type ${type}`) };
    if (list.length === 0) delete metadata[key];
    else metadata[key] = list.map((item: unknown) => item ?? (type === 'string' ? '' : {}));
  }
  for (const owner of listOf(metadata, 'ownerReferences')) {
    for (const [field, type] of OWNER_FIELDS) {
      const given = fieldsOf({ owner }, 'owner')[field] ?? undefined;
      if (given === undefined || typeof given === (type === 'bool' ? 'boolean' : 'string')) continue;
      return { problem: unmarshal(given, `ownerReferences.${field} of type ${type}`, 'OwnerReference') };
    }
  }
  return { metadata: metadata as Partial<ObjectMeta> };
}

const isForgotten = (managers: unknown): boolean =>
  Array.isArray(managers) && managers.every((entry) => isFields(entry) && Object.keys(entry).length === 0);

const OWNER_FIELDS = [
  ['apiVersion', 'string'],
  ['kind', 'string'],
  ['name', 'string'],
  ['uid', 'types.UID'],
  ['controller', 'bool'],
  ['blockOwnerDeletion', 'bool'],
] as const;

function unmarshal(value: unknown, target: string, struct = 'ObjectMeta'): string {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${found} into Go struct field ${struct}.${target}`;
}

const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A name from `generateName`: the base cut to leave room, and five random characters. */
export function generateName(base: string): string {
  let suffix = '';
  for (let count = 0; count < 5; count += 1) {
    suffix += SUFFIX_ALPHABET[Math.floor(Math.random() * SUFFIX_ALPHABET.length)];
  }
  return base.slice(0, 58) + suffix;
}
