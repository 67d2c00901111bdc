import { req, type Scripts } from '../script';

const CSI = { driver: 'csi.example.com', volumeHandle: 'v-1' };
const volume = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `{ns}-${name}` },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteMany'], csi: CSI, ...spec },
});
const POST = 'POST persistentvolumes';

/** PersistentVolumes, which belong to no namespace. */
export const volumes: Scripts = {
  'persistent volumes': [
    req(POST, volume('a')),
    req(POST, volume('a')),
    req('GET persistentvolumes/{ns}-a', undefined, { until: (_, body) => JSON.stringify(body).includes('Available') }),
    req('GET persistentvolumes/{ns}-a', undefined, { accept: 'table' }),
    req('PATCH persistentvolumes/{ns}-a', { spec: { storageClassName: 'slow', mountOptions: ['ro'] } }),
    req('PATCH persistentvolumes/{ns}-a', { metadata: { labels: { a: 'b' } } }),
    req('PATCH persistentvolumes/{ns}-a', { spec: { csi: { volumeHandle: 'v-2' } } }, { codeOnly: true }),
    req('PATCH persistentvolumes/{ns}-a', { spec: { volumeMode: 'Block' } }),
    req('PATCH persistentvolumes/{ns}-a', { status: { phase: 'Failed' } }),
    req('PATCH persistentvolumes/{ns}-a', { spec: { capacity: { storage: '2Gi' } } }),
    req('GET persistentvolumes?labelSelector=a%3Db&fieldSelector=metadata.name%3D{ns}-a'),
    req('GET persistentvolumes/{ns}-missing'),
    req('DELETE persistentvolumes/{ns}-a', undefined, { codeOnly: true }),
    req('GET persistentvolumes/{ns}-a', undefined, { until: (status) => status === 404, codeOnly: true }),
  ],
  'volumes that are refused': [
    req(POST, { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: '{ns}-b' } }),
    req(POST, volume('b', { capacity: {}, accessModes: [], csi: undefined })),
    req(POST, volume('b', { capacity: { storage: 'much' } })),
    req(POST, volume('b', { capacity: { storage: '0' } })),
    req(POST, volume('b', { capacity: { cpu: '1' } })),
    req(POST, volume('b', { accessModes: ['Sometimes'] })),
    req(POST, volume('b', { accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] })),
    req(POST, volume('b', { csi: { driver: '', volumeHandle: '' } })),
    req(POST, volume('b', { csi: { ...CSI, driver: 'no driver!' } })),
    req(POST, volume('b', { csi: { ...CSI, nodePublishSecretRef: { name: '' } } })),
    req(POST, volume('b', { hostPath: { path: '/x' } })),
    req(POST, volume('b', { csi: undefined })),
    req(POST, volume('b', { volumeMode: 'Odd', persistentVolumeReclaimPolicy: 'Burn' })),
    req(POST, volume('b', { storageClassName: 'Not A Name' })),
    req(POST, volume('b', { nodeAffinity: {} })),
    req(`${POST}?fieldValidation=Strict`, volume('b', { csi: { ...CSI, drivr: 'x' } })),
  ],
};
