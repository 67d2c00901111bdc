import { fieldsOf, type KubeObject, listOf, textOf } from '../../core/objects';
import type { Column } from '../../tables/column';
import { AGE, column, NAME, WIDE } from '../../tables/column';

/** `ClusterRole/view`, and who it is given to. */
const BINDING_COLUMNS: readonly Column[] = [
  NAME,
  column(
    'Role',
    'The role that is given.',
    (binding) => `${textOf(binding, 'roleRef', 'kind')}/${textOf(binding, 'roleRef', 'name')}`,
  ),
  AGE,
  column('Users', 'Users it is given to.', subjectsOf('User'), WIDE),
  column('Groups', 'Groups it is given to.', subjectsOf('Group'), WIDE),
  column('ServiceAccounts', 'Service accounts it is given to.', subjectsOf('ServiceAccount'), WIDE),
];

function subjectsOf(kind: string) {
  return (binding: KubeObject) =>
    listOf(binding, 'subjects')
      .filter((subject) => textOf(subject, 'kind') === kind)
      .map((subject) => [textOf(subject, 'namespace'), textOf(subject, 'name')].filter((part) => part !== '').join('/'))
      .join(', ');
}

/** `pods: 1/5, …` of the limits, or of all else. */
function quotaOf(limits: boolean) {
  return (quota: KubeObject) =>
    Object.entries(fieldsOf(quota, 'status', 'hard'))
      .filter(([resource]) => resource.startsWith('limits.') === limits)
      .map(([resource, hard]) => `${resource}: ${fieldsOf(quota, 'status', 'used')[resource] ?? 0}/${hard}`)
      .sort()
      .join(', ');
}

const ACCESS_MODES: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const accessModes = (modes: readonly unknown[]) => modes.map((mode) => ACCESS_MODES[String(mode)]).join(',');

const ROLE_COLUMNS: readonly Column[] = [
  NAME,
  column('Created At', 'When it was created.', ({ metadata }) => metadata.creationTimestamp, { type: 'date' }),
];

/** Columns of claims, quotas, accounts, roles and bindings, by the id of the kind. */
export const OTHER_COLUMNS: Record<string, readonly Column[]> = {
  persistentvolumeclaims: [
    NAME,
    column('Status', 'The phase of the claim.', (claim) => textOf(claim, 'status', 'phase')),
    column('Volume', 'The volume that is bound.', (claim) => textOf(claim, 'spec', 'volumeName')),
    column('Capacity', 'Size of the volume.', (claim) => textOf(claim, 'status', 'capacity', 'storage')),
    column('Access Modes', 'How the volume may be mounted.', (claim) =>
      accessModes(listOf(claim, 'status', 'accessModes')),
    ),
    column('StorageClass', 'Class of the storage.', (claim) => textOf(claim, 'spec', 'storageClassName')),
    column(
      'VolumeAttributesClass',
      'Class of the attributes.',
      (claim) => textOf(claim, 'spec', 'volumeAttributesClassName') || '<unset>',
    ),
    AGE,
    column('VolumeMode', 'Filesystem or Block.', (claim) => textOf(claim, 'spec', 'volumeMode') || '<unset>', WIDE),
  ],
  persistentvolumes: [
    NAME,
    column('Capacity', 'Size of the volume.', (volume) => textOf(volume, 'spec', 'capacity', 'storage')),
    column('Access Modes', 'How the volume may be mounted.', (volume) =>
      accessModes(listOf(volume, 'spec', 'accessModes')),
    ),
    column('Reclaim Policy', 'What becomes of it after its claim.', (volume) =>
      textOf(volume, 'spec', 'persistentVolumeReclaimPolicy'),
    ),
    column('Status', 'The phase of the volume.', (volume) => textOf(volume, 'status', 'phase')),
    column('Claim', 'The claim that has it.', (volume) =>
      ['namespace', 'name']
        .map((field) => textOf(volume, 'spec', 'claimRef', field))
        .filter((text) => text !== '')
        .join('/'),
    ),
    column('StorageClass', 'Class of the storage.', (volume) => textOf(volume, 'spec', 'storageClassName')),
    column(
      'VolumeAttributesClass',
      'Class of the attributes.',
      (volume) => textOf(volume, 'spec', 'volumeAttributesClassName') || '<unset>',
    ),
    column('Reason', 'Why it is in its phase.', (volume) => textOf(volume, 'status', 'reason')),
    AGE,
    column('VolumeMode', 'Filesystem or Block.', (volume) => textOf(volume, 'spec', 'volumeMode') || '<unset>', WIDE),
  ],
  resourcequotas: [
    NAME,
    column('Request', 'What is used, of what may be.', quotaOf(false)),
    column('Limit', 'Limits of containers, of what may be.', quotaOf(true)),
    AGE,
  ],
  serviceaccounts: [NAME, AGE],
  'roles.rbac.authorization.k8s.io': ROLE_COLUMNS,
  'clusterroles.rbac.authorization.k8s.io': ROLE_COLUMNS,
  'rolebindings.rbac.authorization.k8s.io': BINDING_COLUMNS,
  'clusterrolebindings.rbac.authorization.k8s.io': BINDING_COLUMNS,
  'customresourcedefinitions.apiextensions.k8s.io': ROLE_COLUMNS,
};
