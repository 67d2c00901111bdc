import { expect, it } from 'vitest';
import { digestPod } from './read-pod';

const pod = (reason: string) => ({
  metadata: { name: 'p', namespace: 'demo', uid: 'p' },
  spec: {
    initContainers: [{ name: 'runtime', image: 'reg.local/runtime:v1' }],
    containers: [
      { name: 'sandbox', image: 'reg.local/tools:v9' },
      { name: 'shipper', image: 'reg.local/shipper:v2' },
    ],
  },
  status: { containerStatuses: [{ name: 'shipper', state: { waiting: { reason } } }] },
});

it('names the image of the container that waits for one, and of no other', () => {
  expect(digestPod(pod('ImagePullBackOff'))?.waiting).toEqual({
    container: 'shipper',
    init: false,
    reason: 'ImagePullBackOff',
    image: 'reg.local/shipper:v2',
  });
  expect(digestPod(pod('CrashLoopBackOff'))?.waiting).not.toHaveProperty('image');
});
