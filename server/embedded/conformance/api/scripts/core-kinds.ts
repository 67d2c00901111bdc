import { configMap, pod, req, type Scripts } from '../script';
import { passingCrd } from '../widget-crd';

const core = (kind: string, name: string, rest: object = {}) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  ...rest,
});
const event = (name: string, rest: object) => core('Event', name, rest);
const MAIN = {
  name: 'main',
  image: 'registry.local/code:v1',
  env: [{ name: 'A', value: 'b' }],
  ports: [{ containerPort: 80, protocol: 'TCP' }],
};
const TYPO = { ...MAIN, imagee: 'x', ports: [{ containerPort: 80, nam: 'http' }] };
const NODE = { status: { capacity: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] } };

export const coreKinds: Scripts = {
  secrets: [
    req('POST secrets', core('Secret', 'a', { stringData: { user: 'vera' }, data: { raw: 'AAE=' } })),
    req('POST secrets', core('Secret', 'b', { data: { raw: 'not base64!' } })),
    req('POST secrets', core('Secret', 'c', { data: { 'bad key': 'AAE=' } })),
    req('PATCH secrets/a', { stringData: { user: 'otto' } }),
    req('PATCH secrets/a', { type: 'other' }),
    req('POST secrets', core('Secret', 'd', { type: 'kubernetes.io/tls', data: {} })),
    req('GET secrets?fieldSelector=type%3DOpaque'),
  ],
  'config maps': [
    req('POST configmaps', { ...configMap('a', { k: 'v' }), binaryData: { b: 'AAE=' } }),
    req('POST configmaps', configMap('b', { 'bad key': 'v' })),
    req('POST configmaps', { ...configMap('c', { k: 'v' }), binaryData: { k: 'AAE=' } }),
    req('POST configmaps', { ...configMap('d'), data: { k: 1 } }),
    req('POST configmaps', { ...configMap('e', { k: 'v' }), immutable: true }),
    req('PATCH configmaps/e', { data: { k: 'w' } }),
  ],
  'events of both groups': [
    req(
      'POST events',
      event('a', {
        involvedObject: { kind: 'Pod', namespace: '{ns}', name: 'p' },
        reason: 'Tested',
        message: 'one',
        type: 'Normal',
        source: { component: 'tester' },
        count: 2,
      }),
    ),
    req('GET /apis/events.k8s.io/v1/namespaces/{ns}/events/a'),
    req('GET /apis/events.k8s.io/v1/namespaces/{ns}/events'),
    req('POST /apis/events.k8s.io/v1/namespaces/{ns}/events', {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'b' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'agents.example/tester',
      reportingInstance: 'tester-1',
      action: 'Testing',
      reason: 'Tested',
      regarding: { kind: 'Pod', namespace: '{ns}', name: 'p' },
      note: 'two',
      type: 'Normal',
    }),
    req('GET events/b'),
    req('GET events?fieldSelector=involvedObject.name%3Dp,reason%3DTested'),
    req('GET events?fieldSelector=message%3Dx'),
    req('GET /apis/events.k8s.io/v1/namespaces/{ns}/events?fieldSelector=regarding.name%3Dp'),
    req('POST events', event('c', { involvedObject: { kind: 'Pod', namespace: 'elsewhere', name: 'p' }, reason: 'X' })),
    req('PATCH events/a', { count: 3 }),
    req('GET events/a', undefined, { accept: 'table' }),
    req('DELETE events/a'),
  ],
  'leases and service accounts': [
    req('POST leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
      spec: { holderIdentity: 'one', leaseDurationSeconds: 15 },
    }),
    req('PUT leases/a', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a', resourceVersion: '1' },
      spec: { holderIdentity: 'two' },
    }),
    req('PATCH leases/a', { spec: { leaseDurationSeconds: -1 } }),
    req('PATCH leases/a', { spec: { holderIdentity: 'two', renewTime: '2026-01-01T00:00:00.000000Z' } }),
    req('POST serviceaccounts', core('ServiceAccount', 'a')),
    req('PATCH serviceaccounts/a', { automountServiceAccountToken: false }),
  ],
  nodes: [
    req('POST nodes', core('Node', '{ns}-node', { spec: { unschedulable: true } }), { codeOnly: true }),
    req('PATCH nodes/{ns}-node/status', NODE, { codeOnly: true, type: 'strategic' }),
    req('PATCH nodes/{ns}-node', { status: { capacity: { cpu: '9' } } }, { codeOnly: true }),
    req('GET nodes/{ns}-missing'),
    req('DELETE nodes/{ns}-node', undefined, { codeOnly: true }),
  ],
  pods: [
    req('POST pods', pod('a')),
    req('POST pods', pod('b', { containers: [] })),
    req('POST pods', pod('c', { containers: [{ name: 'x' }] })),
    req('POST pods', pod('d', { restartPolicy: 'Sometimes' })),
    req(
      'PATCH pods/a',
      { spec: { containers: [{ name: 'main', image: 'registry.local/code:v2' }] } },
      { type: 'strategic' },
    ),
    req('PATCH pods/a', { spec: { restartPolicy: 'Never' } }, { codeOnly: true }),
    req('POST pods/a/binding', {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { kind: 'Node', name: 'n-1' },
    }),
    req('POST pods/a/binding', {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { kind: 'Node', name: 'n-2' },
    }),
    req('GET pods/a'),
    req('PATCH pods/a/status', { status: { phase: 'Running', podIP: '10.1.1.1', podIPs: [{ ip: '10.1.1.1' }] } }),
    req('PATCH pods/a', { status: { phase: 'Failed' } }),
    req('POST pods/missing/binding', {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'missing' },
      target: { kind: 'Node', name: 'n' },
    }),
    req('GET pods/a/log'),
    req('GET pods/missing/log'),
  ],
  'fields that a kind does not have': [
    req('POST pods?fieldValidation=Strict', pod('a', { containers: [TYPO] })),
    req('POST pods', pod('a', { containers: [TYPO], nodeSelectr: {} })),
    req('PATCH pods/a?fieldValidation=Strict', { spec: { tolerations: [{ key: 'a', operatr: 'Exists' }] } }),
    req('POST configmaps?fieldValidation=Strict', { ...configMap('a'), dat: {} }),
    req('POST events?fieldValidation=Strict', event('a', { involvedObject: { nam: 'x' }, sourc: {} })),
    req('POST leases?fieldValidation=Strict', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
      spec: { holderIdentity: 'me', holder: 'me' },
    }),
    req('POST crds?fieldValidation=Strict', { ...passingCrd('{ns}.example'), speck: {} }, { codeOnly: true }),
    req('PATCH configmaps/b?fieldManager=me', { ...configMap('b'), dat: { a: 'b' } }, { type: 'apply' }),
    req('PATCH pods/b?fieldManager=me', pod('b', { containers: [{ ...MAIN, imagee: 'x' }] }), { type: 'apply' }),
    req('PATCH pods/b?fieldManager=me', pod('b', { containers: [{ ...MAIN, image: 1 }] }), { type: 'apply' }),
  ],
  'lists that are merged': [
    req('POST pods', pod('a', { containers: [MAIN, { name: 'other', image: 'i' }], hostAliases: [{ ip: '1.1.1.1' }] })),
    req('PATCH pods/a', { spec: { containers: [{ name: 'other', image: 'j' }] } }, { type: 'strategic' }),
    req(
      'PATCH pods/a/status',
      { status: { conditions: [{ type: 'Ready', status: 'False' }], podIPs: [{ ip: '1.2.3.4' }] } },
      { type: 'strategic' },
    ),
    req(
      'PATCH pods/a/status',
      { status: { conditions: [{ type: 'Initialized', status: 'True' }], podIPs: [{ ip: '1.2.3.5' }] } },
      { type: 'strategic' },
    ),
    req('PATCH pods/a/status', { status: { conditions: [{ status: 'True' }] } }, { type: 'strategic' }),
    req(
      'PATCH serviceaccounts/robot',
      { secrets: [{ name: 'b' }], imagePullSecrets: [{ name: 'x' }] },
      { type: 'strategic' },
    ),
    req('POST serviceaccounts', core('ServiceAccount', 'robot', { secrets: [{ name: 'a' }] })),
    req(
      'PATCH serviceaccounts/robot',
      { secrets: [{ name: 'b' }], imagePullSecrets: [{ name: 'x' }] },
      { type: 'strategic' },
    ),
  ],
  'where a pod is': [
    req(
      'POST nodes',
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: {
          name: '{ns}-place',
          labels: {
            'topology.kubernetes.io/zone': 'zone-a',
            'topology.kubernetes.io/region': 'here',
            'topology.kubernetes.io/rack': '7',
          },
        },
        spec: { unschedulable: true },
      },
      { codeOnly: true },
    ),
    req('POST pods', pod('a')),
    req('POST pods/a/binding', {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { kind: 'Node', name: '{ns}-place' },
    }),
    req('GET pods/a'),
    req('DELETE pods/a?gracePeriodSeconds=0', undefined, { codeOnly: true }),
    req('DELETE nodes/{ns}-place', undefined, { codeOnly: true }),
  ],
  'who owns which part of a pod': [
    req('PATCH pods/a?fieldManager=one', pod('a', { containers: [MAIN] }), { type: 'apply', managedFields: true }),
    req(
      'PATCH pods/a?fieldManager=two&force=true',
      pod('a', {
        containers: [{ ...MAIN, image: 'registry.local/code:v2', env: undefined, ports: [{ containerPort: 80 }] }],
      }),
      { type: 'apply', managedFields: true },
    ),
    req('PATCH pods/a?fieldManager=one', pod('a', { containers: [MAIN] }), { type: 'apply' }),
  ],
};
