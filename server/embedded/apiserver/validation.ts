import { validateRbac } from './auth/validate-roles';
import { validateCore } from './core-validation';
import type { KindDefinition } from './kinds';
import { validateMeta } from './object-meta';
import { at, deepEqual, fieldsOf, type KubeObject } from './objects';
import { validateSchema } from './schema-validation';
import { type Cause, forbidden, invalid, invalidValue } from './status';
import type { Part } from './writes';

/** Plurals whose names may be anything that fits into a path: `system:basic-user`. */
const PATH_NAMES = /^(events|roles|rolebindings|clusterroles|clusterrolebindings)$/;

/** Refuses an object that breaks a rule of its kind: metadata, schema, scale. `old` is the stored one of an update. */
export function validateObject(kind: KindDefinition, object: KubeObject, old?: KubeObject, part: Part = 'main'): void {
  const causes: Cause[] = [];
  const rule = kind.plural === 'namespaces' ? 'label' : PATH_NAMES.test(kind.plural) ? 'path' : 'subdomain';
  validateMeta(object.metadata, rule, causes);
  // An update validates the metadata three times over: as an object, as an update of one, and by the generic store.
  if (old !== undefined && kind.custom !== undefined) causes.push(...causes, ...causes);
  if (old !== undefined) validateFinalizers(object, old, kind.custom !== undefined, causes);
  if (kind.custom === undefined && part === 'main') validateCore(kind, object, old, causes);
  if (kind.custom !== undefined) {
    if (kind.subresources.includes('scale')) validateScale(object, causes);
    const { apiVersion: _version, kind: _kind, metadata: _metadata, ...fields } = object;
    const stored = old === undefined ? undefined : fieldsOf({ old }, 'old');
    validateSchema(fields, stored, kind.custom.schema, causes, part === 'status' ? 'status.' : '');
  }
  if (kind.group === 'rbac.authorization.k8s.io') validateRbac(object, old, causes);
  if (causes.length > 0) throw invalid(kind.group, kind.kind, object.metadata.name, causes);
}

function validateScale(object: KubeObject, causes: Cause[]): void {
  const replicas = at(object, ['spec', 'replicas']);
  if (typeof object.spec === 'string') {
    const why = `.spec.replicas accessor error: ${object.spec} is of the type string, expected map[string]interface{}`;
    causes.push(invalidValue('.spec.replicas', 0, why));
  }
  if (typeof replicas !== 'number') return;
  const most = 2 ** 31 - 1;
  if (replicas < 0) causes.push(invalidValue('.spec.replicas', replicas, 'should be a non-negative integer'));
  if (replicas > most) causes.push(invalidValue('.spec.replicas', replicas, `should be less than or equal to ${most}`));
}

function validateFinalizers(object: KubeObject, old: KubeObject, isCustom: boolean, causes: Cause[]): void {
  if (old.metadata.deletionTimestamp === undefined) return;
  const before = old.metadata.finalizers ?? [];
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !before.includes(finalizer));
  if (added.length > 0) {
    const cause = forbidden(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((name) => JSON.stringify(name)).join(', ')}}`,
    );
    // The generic store looks again.
    causes.push(cause, ...(isCustom ? [cause] : []));
  }
}

/** Whether two versions differ in what the generation counts: everything but metadata and, where it is apart, status. */
export function specDiffers(kind: KindDefinition, a: KubeObject, b: KubeObject): boolean {
  if (kind.custom === undefined) return !deepEqual(a.spec, b.spec);
  const apart = kind.subresources.includes('status');
  const rest = ({ metadata: _metadata, status, ...fields }: KubeObject) => (apart ? fields : { ...fields, status });
  return !deepEqual(rest(a), rest(b));
}
