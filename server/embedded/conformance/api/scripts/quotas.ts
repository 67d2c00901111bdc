import { pod, req, type Scripts, sandbox } from '../script';

const quota = (name: string, hard: object, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name },
  spec: { hard, ...more },
});

const using = (name: string, requests: object, limits?: object, more: object = {}) =>
  pod(name, {
    containers: [
      {
        name: 'main',
        image: 'registry.local/code:v1',
        resources: limits === undefined ? { requests } : { requests, limits },
      },
    ],
    ...more,
  });

const lease = (name: string) => ({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name } });

/** The quota controller counts in its own time; before that nothing can be made. */
const counted = (_status: number, body: unknown) => (body as { status?: { hard?: object } }).status?.hard !== undefined;
const used = (resource: string, amount: string) => (_status: number, body: unknown) =>
  (body as { status?: { used?: Record<string, string> } }).status?.used?.[resource] === amount;

const COMPUTE = { 'requests.cpu': '1', 'requests.memory': '1Gi', 'limits.cpu': '2', 'limits.memory': '2Gi', pods: '3' };
const ALL = { cpu: '500m', memory: '512Mi' };

export const quotas: Scripts = {
  'of what containers ask for': [
    req('POST resourcequotas', quota('compute', COMPUTE)),
    req('GET resourcequotas/compute', undefined, { until: counted }),
    req('POST pods', pod('silent')),
    req('POST pods', using('half-silent', { cpu: '1m' })),
    req('POST pods', using('a', ALL, ALL)),
    req('GET resourcequotas/compute', undefined, { until: used('requests.cpu', '500m') }),
    req('GET resourcequotas/compute', undefined, { accept: 'table' }),
    req('POST pods', using('too-much-cpu', { ...ALL, cpu: '501m' }, { ...ALL, cpu: '501m' })),
    req('POST pods', using('too-much', { cpu: '0.6', memory: '600Mi' }, { cpu: '1.6', memory: '1600Mi' })),
    req('POST pods', using('b', ALL, ALL)),
    req('GET resourcequotas/compute', undefined, { until: used('pods', '2') }),
    req('POST pods', using('one-more', { cpu: '1m', memory: '1' }, { cpu: '1m', memory: '1' })),
    req('DELETE pods/a'),
    req('GET resourcequotas/compute', undefined, { until: used('pods', '1') }),
    req('POST pods', using('c', { cpu: '250m', memory: '268435456' }, ALL)),
    req('GET resourcequotas/compute', undefined, { until: used('pods', '2') }),
  ],
  'of init containers, which run one after the other': [
    req('POST resourcequotas', quota('short', { cpu: '1', memory: '1Gi' })),
    req('GET resourcequotas/short', undefined, { until: counted }),
    req(
      'POST pods',
      using('a', { cpu: '200m', memory: '1Mi' }, undefined, {
        initContainers: [
          { name: 'big', image: 'i', resources: { requests: { cpu: '600m', memory: '1Mi' } } },
          {
            name: 'side',
            image: 'i',
            restartPolicy: 'Always',
            resources: { requests: { cpu: '100m', memory: '1Mi' } },
          },
        ],
      }),
    ),
    req('GET resourcequotas/short', undefined, { until: used('cpu', '600m') }),
  ],
  'of any kind': [
    req(
      'POST resourcequotas',
      quota('counts', {
        'count/leases.coordination.k8s.io': '1',
        'count/sandboxes.agents.kruise.io': '1',
        secrets: '0',
      }),
    ),
    // Kinds of definitions are found by and by.
    req('GET resourcequotas/counts', undefined, { until: used('count/sandboxes.agents.kruise.io', '0') }),
    req('POST leases', lease('a')),
    req('POST leases', lease('b')),
    req('POST sandboxes', sandbox('a')),
    req('POST sandboxes', sandbox('b')),
    req('POST secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
    req('GET resourcequotas/counts', undefined, { until: used('count/sandboxes.agents.kruise.io', '1') }),
  ],
  'of some pods only': [
    req('POST resourcequotas', quota('best', { pods: '1' }, { scopes: ['BestEffort'] })),
    req('GET resourcequotas/best', undefined, { until: counted }),
    req('POST pods', using('asks', { cpu: '1m' }), { codeOnly: true }),
    req('POST pods', pod('a'), { codeOnly: true }),
    req('POST pods', pod('b')),
  ],
};
