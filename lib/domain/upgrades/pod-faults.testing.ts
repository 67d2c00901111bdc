import type { Template } from '../templates';

/** Pod templates that the API server refuses as Pods whatever the cluster, and some that it takes; the rules and a server are asked alike. */

export const pod = (container: object = {}, spec: object = {}) => ({
  spec: {
    containers: [{ name: 'app', image: 'a:1', ...container }],
    volumes: [{ name: 'conf', configMap: { name: 'c' } }],
    ...spec,
  },
});
export const cpu = (requests: unknown, limits?: unknown) => ({
  resources: { requests: { cpu: requests }, ...(limits === undefined ? {} : { limits: { cpu: limits } }) },
});

/** What is wrong, the template, and the fault that is found: `code at path`. */
export const refusedPods: readonly [string, Template, string][] = [
  ['a quantity that is none', pod(cpu('abc')), 'notAQuantity at spec.containers[app].resources.requests.cpu'],
  ['a negative one', pod(cpu('-1')), 'negative at spec.containers[app].resources.requests.cpu'],
  ['a request above its limit', pod(cpu('2', '1500m')), 'aboveLimit at spec.containers[app].resources.requests.cpu'],
  [
    'a resource that no container has',
    pod({ resources: { limits: { cpus: '1' } } }),
    'unknownResource at spec.containers[app].resources.limits.cpus',
  ],
  [
    'a mount of a volume that is not there',
    pod({ volumeMounts: [{ name: 'gone', mountPath: '/d' }] }),
    'noVolume at spec.containers[app].volumeMounts[/d].name',
  ],
  [
    'a mount of nothing',
    pod({ volumeMounts: [{ name: '', mountPath: '/d' }] }),
    'required at spec.containers[app].volumeMounts[/d].name',
  ],
  [
    'two mounts at one path',
    pod({ volumeMounts: [1, 2].map(() => ({ name: 'conf', mountPath: '/d' })) }),
    'duplicate at spec.containers[app].volumeMounts[/d].mountPath',
  ],
  [
    'a container and an init container of one name',
    pod({}, { initContainers: [{ name: 'app', image: 'b' }] }),
    'duplicate at spec.initContainers[app].name',
  ],
  ['an empty image', pod({ image: '' }), 'required at spec.containers[app].image'],
  ['a space around an image', pod({ image: 'a:1 ' }), 'edgeSpace at spec.containers[app].image'],
  [
    'a new container with a name of its own kind',
    pod({}, { containers: [{ name: 'App_1', image: 'a' }] }),
    'notAName at spec.containers[App_1].name',
  ],
  [
    'a variable with a value and a reference',
    pod({ env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    'valueAndSource at spec.containers[app].env[A]',
  ],
  ['a port out of range', pod({ ports: [{ containerPort: 70000 }] }), 'notAPort at spec.containers[app].ports[70000]'],
  ['a policy that is none', pod({ imagePullPolicy: 'Sometimes' }), 'notOneOf at spec.containers[app].imagePullPolicy'],
  [
    'a ConfigMap without a name',
    pod({}, { volumes: [{ name: 'v', configMap: { name: '' } }] }),
    'required at spec.volumes[v].configMap.name',
  ],
  [
    'a volume of two kinds',
    pod({}, { volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] }),
    'manySources at spec.volumes[v]',
  ],
  [
    'a size that is none',
    pod({}, { volumes: [{ name: 'v', emptyDir: { sizeLimit: 'big' } }] }),
    'notAQuantity at spec.volumes[v].emptyDir.sizeLimit',
  ],
  ['a label that is none', { metadata: { labels: { a: 'x y' } }, ...pod() }, 'notALabel at metadata.labels.a'],
];

export const rightPods: readonly [string, Template][] = [
  ['quantities of all kinds', pod(cpu('100m', '0.1'))],
  ['huge pages and devices', pod({ resources: { limits: { cpu: 1, 'hugepages-2Mi': '4Mi', 'example.com/gpu': 1 } } })],
  ['a volume without a source, which becomes an emptyDir', pod({}, { volumes: [{ name: 'v' }] })],
  [
    'a reference beside an empty value',
    pod({ env: [{ name: 'A', value: '', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
  ],
  ['a ConfigMap of a mount', pod({ volumeMounts: [{ name: 'conf', mountPath: '/c', subPath: 'x' }] })],
];
