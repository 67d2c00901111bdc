import { validatePodSpec } from './admission/pod-template';
import type { KindDefinition } from './kinds';
import { deepEqual, type Fields, fieldsOf, type KubeObject, numberOf, textOf } from './objects';
import { type Cause, forbidden, invalidValue, required } from './status';

const CONFIG_KEY =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** What kube-apiserver says of objects of core kinds that make no sense; `old` is the stored one of an update. */
export function validateCore(
  { plural, group }: KindDefinition,
  object: KubeObject,
  old: KubeObject | undefined,
  causes: Cause[],
): void {
  switch (plural) {
    case 'configmaps':
      validateKeys(object, ['data', 'binaryData'], causes);
      validateImmutable(object, old, ['data', 'binaryData'], causes);
      break;
    case 'secrets':
      validateSecret(object, old, causes);
      break;
    case 'pods':
      if (old === undefined) validatePodSpec(fieldsOf(object, 'spec'), 'spec', [], causes);
      else validatePodUpdate(object, old, causes);
      break;
    case 'leases':
      if ((numberOf(object, 'spec', 'leaseDurationSeconds') ?? 1) <= 0) {
        const value = numberOf(object, 'spec', 'leaseDurationSeconds');
        causes.push(invalidValue('spec.leaseDurationSeconds', value, 'must be greater than 0'));
      }
      break;
    case 'events':
      if (group === '') validateEvent(object, causes);
      break;
    case 'customresourcedefinitions': {
      const name = `${textOf(object, 'spec', 'names', 'plural')}.${textOf(object, 'spec', 'group')}`;
      if (object.metadata.name === name) break;
      const why = 'must be spec.names.plural+"."+spec.group';
      causes.push(invalidValue('metadata.name', object.metadata.name, why));
      break;
    }
    default:
  }
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

function validateEvent(object: KubeObject, causes: Cause[]): void {
  const namespace = textOf(object, 'involvedObject', 'namespace');
  if (namespace === (object.metadata.namespace ?? '') || (namespace === '' && object.metadata.namespace === 'default'))
    return;
  causes.push(invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace'));
}

/** What of a pod may still change: images, the deadline, the time to stop, and who binds or tolerates it. */
function validatePodUpdate(object: KubeObject, old: KubeObject, causes: Cause[]): void {
  const fixed = (pod: KubeObject): Fields => {
    const { activeDeadlineSeconds, terminationGracePeriodSeconds, tolerations, nodeName, schedulingGates, ...spec } =
      fieldsOf({ pod }, 'pod', 'spec');
    const withoutImages = (list: unknown) =>
      Array.isArray(list) ? list.map((item: Fields) => ({ ...item, image: undefined })) : list;
    return { ...spec, containers: withoutImages(spec.containers), initContainers: withoutImages(spec.initContainers) };
  };
  if (deepEqual(fixed(object), fixed(old))) return;
  const fields =
    '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
  causes.push(forbidden('spec', `pod updates may not change fields other than ${fields}\n`));
}
