import { type Cause, invalidValue, required, unsupportedValue } from '../core/causes';
import type { KindRules } from '../core/kind-definition';
import { at, fieldsOf, type KubeObject, listOf, textOf } from '../core/objects';
import { pendingStatus } from './definitions';

const SCOPES = ['Cluster', 'Namespaced'];
/** What the stored objects, and the name of the definition itself, are found by. */
const IMMUTABLE = [['scope'], ['names', 'kind'], ['group'], ['names', 'plural']] as const;

/** CustomResourceDefinition. (validation of apiextensions-apiserver 1.35, without that of the schemas themselves) */
export const DEFINITION_RULES: KindRules = {
  prepare: (object) => ({
    ...object,
    spec: { conversion: { strategy: 'None' }, ...fieldsOf(object, 'spec') },
    status: pendingStatus(object),
  }),
  validate: (object, old, part, causes) => {
    if (part !== 'main') return;
    if (old === undefined) validateName(object, causes);
    else validateUnchanged(object, old, causes);
    validateScope(object, causes);
    validateVersions(object, old === undefined, causes);
  },
};

function validateName(object: KubeObject, causes: Cause[]): void {
  const name = `${textOf(object, 'spec', 'names', 'plural')}.${textOf(object, 'spec', 'group')}`;
  if (object.metadata.name === name) return;
  causes.push(invalidValue('metadata.name', object.metadata.name, 'must be spec.names.plural+"."+spec.group'));
}

function validateUnchanged(object: KubeObject, old: KubeObject, causes: Cause[]): void {
  for (const path of IMMUTABLE) {
    const value = at(object.spec, path);
    if (value === at(old.spec, path)) continue;
    causes.push(invalidValue(`spec.${path.join('.')}`, value ?? '', 'field is immutable'));
  }
}

function validateScope(object: KubeObject, causes: Cause[]): void {
  const scope = textOf(object, 'spec', 'scope');
  if (scope === '') causes.push(required('spec.scope'));
  else if (!SCOPES.includes(scope)) causes.push(unsupportedValue('spec.scope', scope, SCOPES));
}

function validateVersions(object: KubeObject, isNew: boolean, causes: Cause[]): void {
  const versions = listOf(object, 'spec', 'versions').map((version) => fieldsOf({ version }, 'version'));
  for (const [index, version] of versions.entries()) {
    const { openAPIV3Schema } = fieldsOf(version, 'schema');
    if (openAPIV3Schema === undefined) causes.push(required(`spec.versions[${index}].schema.openAPIV3Schema`));
  }
  const stored = versions.filter(({ storage }) => storage === true);
  if (stored.length !== 1) {
    const shown = versions.map(({ name, served, storage }) => ({
      Name: name,
      Served: served,
      Storage: storage,
      Deprecated: false,
      DeprecationWarning: null,
      Schema: null,
      Subresources: null,
      AdditionalPrinterColumns: null,
      SelectableFields: null,
    }));
    causes.push(invalidValue('spec.versions', shown, 'must have exactly one version marked as storage version'));
  }
  if (isNew && stored.length === 0) {
    causes.push(invalidValue('status.storedVersions', null, 'must have at least one stored version'));
  }
}
