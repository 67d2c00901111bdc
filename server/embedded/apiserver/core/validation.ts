import { type Cause, forbidden, invalidValue } from './causes';
import type { KindDefinition, ScalePaths } from './kind-definition';
import { validateMeta } from './object-meta';
import { at, type KubeObject } from './objects';
import { invalid } from './status';
import type { Part } from './update';

/** Refuses an object that breaks a rule of its metadata, its scale or its kind. `old` is the stored one of an update. */
export function validateObject(kind: KindDefinition, object: KubeObject, old?: KubeObject, part: Part = 'main'): void {
  const causes: Cause[] = [];
  validateMeta(object.metadata, kind.names ?? 'subdomain', causes);
  // An update validates the metadata three times over: as an object, as an update of one, and by the generic store.
  if (old !== undefined && kind.isCustom === true) causes.push(...causes, ...causes);
  if (old !== undefined) validateFinalizers(object, old, kind.isCustom === true, causes);
  if (kind.scale !== undefined) validateScale(object, kind.scale, causes);
  kind.validate?.(object, old, part, causes);
  if (causes.length > 0) throw invalid(kind.group, kind.kind, object.metadata.name, causes);
}

function validateScale(object: KubeObject, { specReplicas }: ScalePaths, causes: Cause[]): void {
  const replicas = at(object, specReplicas);
  const field = `.${specReplicas.join('.')}`;
  if (typeof object.spec === 'string') {
    const why = `${field} accessor error: ${object.spec} is of the type string, expected map[string]interface{}`;
    causes.push(invalidValue(field, 0, why));
  }
  if (typeof replicas !== 'number') return;
  const most = 2 ** 31 - 1;
  if (replicas < 0) causes.push(invalidValue(field, replicas, 'should be a non-negative integer'));
  if (replicas > most) causes.push(invalidValue(field, replicas, `should be less than or equal to ${most}`));
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
