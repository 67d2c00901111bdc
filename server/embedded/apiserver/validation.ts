import type { KindDefinition } from './kinds';
import { validateMeta } from './object-meta';
import { at, deepEqual, fieldsOf, type KubeObject } from './objects';
import { validateSchema } from './schema-validation';
import { type Cause, forbidden, invalid, invalidValue } from './status';

/** Refuses an object that breaks a rule of its kind: metadata, schema, scale. `old` is the stored one of an update. */
export function validateObject(kind: KindDefinition, object: KubeObject, old?: KubeObject): void {
  const causes: Cause[] = [];
  const rule = kind.plural === 'namespaces' ? 'label' : kind.plural === 'events' ? 'path' : 'subdomain';
  validateMeta(object.metadata, rule, causes);
  // An update validates the metadata three times over: as an object, as an update of one, and by the generic store.
  if (old !== undefined && kind.custom !== undefined) causes.push(...causes, ...causes);
  if (old !== undefined) validateFinalizers(object, old, causes);
  if (kind.custom !== undefined) {
    if (kind.subresources.includes('scale')) validateScale(object, causes);
    const { apiVersion: _version, kind: _kind, metadata: _metadata, ...fields } = object;
    const stored = old === undefined ? undefined : fieldsOf({ old }, 'old');
    validateSchema(fields, stored, kind.custom.schema, causes);
  }
  if (causes.length > 0) throw invalid(kind.group, kind.kind, object.metadata.name, causes);
}

function validateScale(object: KubeObject, causes: Cause[]): void {
  const replicas = at(object, ['spec', 'replicas']);
  if (typeof replicas === 'number' && replicas < 0) {
    causes.push(invalidValue('.spec.replicas', replicas, 'should be a non-negative integer'));
  }
}

function validateFinalizers(object: KubeObject, old: KubeObject, causes: Cause[]): void {
  if (old.metadata.deletionTimestamp === undefined) return;
  const before = old.metadata.finalizers ?? [];
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !before.includes(finalizer));
  if (added.length > 0) {
    causes.push(
      forbidden(
        'metadata.finalizers',
        `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((name) => JSON.stringify(name)).join(', ')}}`,
      ),
    );
  }
}

/** Whether two versions differ in what the generation counts: everything but metadata and, where it is apart, status. */
export function specDiffers(kind: KindDefinition, a: KubeObject, b: KubeObject): boolean {
  if (kind.custom === undefined) return !deepEqual(a.spec, b.spec);
  const apart = kind.subresources.includes('status');
  const rest = ({ metadata: _metadata, status, ...fields }: KubeObject) => (apart ? fields : { ...fields, status });
  return !deepEqual(rest(a), rest(b));
}
