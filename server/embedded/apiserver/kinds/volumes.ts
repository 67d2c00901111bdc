import { parseQuantity, quantityProblem } from '../../quantity';
import { type Cause, forbidden, invalidValue, required, unsupportedValue } from '../core/causes';
import type { KindRules } from '../core/kind-definition';
import { subdomainProblems } from '../core/names';
import { deepEqual, type Fields, fieldsOf, isFields, type KubeObject, listOf, textOf } from '../core/objects';
import { timestamp } from '../core/storage';

/** Keeps a volume as long as a claim has it. */
const PROTECTION = 'kubernetes.io/pv-protection';
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** What a volume can be made of, in the order in which it is looked at. */
const SOURCES = [
  ...['gcePersistentDisk', 'awsElasticBlockStore', 'hostPath', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'cephfs', 'iscsi'],
  ...['cinder', 'fc', 'flocker', 'azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk'],
  ...['scaleIO', 'local', 'storageos', 'csi'],
];

/** PersistentVolumes, by the rules of kube-apiserver for all of them and for those of CSI drivers. */
export const VOLUME_RULES: KindRules = {
  problem: (raw) => quantityProblem(Object.values(fieldsOf(raw, 'spec', 'capacity'))),
  prepare: (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      finalizers: [...new Set([...(object.metadata.finalizers ?? []), PROTECTION])],
    },
    spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem', ...fieldsOf(object, 'spec') },
    status: { phase: 'Pending', lastPhaseTransitionTime: timestamp() },
  }),
  validate: (object, old, part, causes) => {
    if (part !== 'main') return;
    validateSpec(fieldsOf(object, 'spec'), causes);
    if (old !== undefined) validateChange(object, old, causes);
  },
};

function validateSpec(spec: Fields, causes: Cause[]): void {
  validateAccessModes(listOf(spec, 'accessModes'), causes);
  validateCapacity(spec.capacity, causes);
  oneOf(spec, 'persistentVolumeReclaimPolicy', ['Delete', 'Recycle', 'Retain'], causes);
  if (isFields(spec.nodeAffinity) && !isFields(spec.nodeAffinity.required)) {
    causes.push(required('spec.nodeAffinity.required', 'must specify required node constraints'));
  }
  const [source, ...others] = SOURCES.filter((name) => isFields(spec[name]));
  if (source === undefined) causes.push(required('spec', 'must specify a volume type'));
  for (const other of others) causes.push(forbidden(`spec.${other}`, 'may not specify more than 1 volume type'));
  if (source === 'csi') validateDriver(fieldsOf(spec, 'csi'), causes);
  const storageClass = textOf(spec, 'storageClassName');
  if (storageClass !== '') tellName('spec.storageClassName', storageClass, causes);
  oneOf(spec, 'volumeMode', ['Block', 'Filesystem'], causes);
}

function validateAccessModes(modes: readonly unknown[], causes: Cause[]): void {
  const field = 'spec.accessModes';
  if (modes.length === 0) causes.push(required(field));
  for (const mode of modes) {
    if (!ACCESS_MODES.includes(String(mode))) causes.push(unsupportedValue(field, mode, ACCESS_MODES));
  }
  if (modes.length > 1 && modes.includes('ReadWriteOncePod')) {
    causes.push(forbidden(field, 'may not use ReadWriteOncePod with other access modes'));
  }
}

function validateCapacity(capacity: unknown = null, causes: Cause[]): void {
  const field = 'spec.capacity';
  const amounts = Object.entries(fieldsOf({ capacity }, 'capacity'));
  if (amounts.length === 0) causes.push(required(field));
  if (amounts.length !== 1 || amounts[0]?.[0] !== 'storage')
    causes.push(unsupportedValue(field, capacity, ['storage']));
  for (const [name, amount] of amounts) {
    if ((parseQuantity(amount) ?? 0) <= 0) {
      causes.push(invalidValue(`${field}[${name}]`, amount, 'must be greater than zero'));
    }
  }
}

function validateDriver(csi: Fields, causes: Cause[]): void {
  const driver = textOf(csi, 'driver');
  if (driver === '') causes.push(required('spec.csi.driver'));
  else tellName('spec.csi.driver', driver, causes);
  if (textOf(csi, 'volumeHandle') === '') causes.push(required('spec.csi.volumeHandle'));
  for (const secret of ['controllerPublish', 'controllerExpand', 'nodePublish', 'nodeExpand']) {
    const reference = csi[`${secret}SecretRef`];
    if (!isFields(reference)) continue;
    for (const field of ['name', 'namespace']) {
      if (textOf(reference, field) === '') causes.push(required(`spec.csi.${secret}SecretRef.${field}`));
    }
  }
}

function oneOf(spec: Fields, field: string, values: readonly string[], causes: Cause[]): void {
  if (!values.includes(textOf(spec, field))) causes.push(unsupportedValue(`spec.${field}`, spec[field], values));
}

function tellName(field: string, name: string, causes: Cause[]): void {
  causes.push(...subdomainProblems(name).map((problem) => invalidValue(field, name, problem)));
}

function validateChange(object: KubeObject, old: KubeObject, causes: Cause[]): void {
  const [spec, before] = [fieldsOf(object, 'spec'), fieldsOf(old, 'spec')];
  if (SOURCES.some((name) => !deepEqual(spec[name], before[name]))) {
    const field = 'spec.persistentvolumesource';
    causes.push(forbidden(field, `${field} is immutable after creation`));
  }
  if (spec.volumeMode !== before.volumeMode) {
    causes.push(invalidValue('volumeMode', spec.volumeMode, 'field is immutable'));
  }
}
