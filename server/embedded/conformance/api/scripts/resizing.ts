import { pod, req, type Scripts } from '../script';

const SMALL = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } };
const IMAGE = 'registry.local/code:v1';
const sized = (resources: object, more: object = {}) => ({ name: 'main', image: IMAGE, resources, ...more });
const containers = (...list: object[]) => ({ spec: { containers: list } });
const resize = (name: string, body: object, type = 'strategic') => req(`PATCH pods/${name}/resize`, body, { type });
const main = (resources: object, more: object = {}) => containers({ name: 'main', resources, ...more });
const running = (resources?: object) => ({
  status: {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'main',
        image: IMAGE,
        imageID: 'id',
        ready: true,
        restartCount: 0,
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
        lastState: {},
        ...(resources === undefined ? {} : { resources }),
      },
    ],
  },
});

/** The subresource `resize` of Pods: cpu and memory of containers, and nothing else. */
export const resizing: Scripts = {
  'resizing a pod': [
    req('POST pods', pod('a', { containers: [sized(SMALL), { name: 'side', image: IMAGE }] })),
    resize('a', main({ requests: { cpu: '200m' } })),
    resize('a', main({ limits: { memory: '256Mi' } })),
    req('GET pods/a/resize'),
    resize('a', { spec: { containers: [{ ...sized(SMALL), resizePolicy: [] }] } }, 'merge'),
    resize('a', [{ op: 'replace', path: '/spec/containers/0/resources/requests/cpu', value: '300m' }], 'json'),
    req('PUT pods/a/resize', pod('a', { containers: [sized(SMALL), { name: 'side', image: IMAGE }] })),
    req('PUT pods/a/resize', pod('a', { containers: [sized(SMALL)] })),
    resize('a', main({ requests: { cpu: '500m' } }), 'strategic'),
    req('PATCH pods/a/resize?dryRun=All', main({ requests: { cpu: '700m' } }), { type: 'strategic' }),
    req('GET pods/a'),
    resize('missing', main({ requests: { cpu: '1' } })),
    req('POST pods/a/resize', pod('a')),
    req('DELETE pods/a/resize'),
    req('PATCH configmaps/a/resize', {}),
  ],
  'what is not a size': [
    req('POST pods', pod('a', { containers: [sized(SMALL)] }, { labels: { a: 'b' } })),
    resize('a', { metadata: { labels: { a: 'c' }, annotations: { x: 'y' } } }),
    resize('a', { metadata: { labels: { a: 'c' } }, ...main({ requests: { cpu: '150m' } }) }),
    resize('a', main({ requests: { cpu: '160m' } }, { image: 'registry.local/code:v2', env: [{ name: 'A' }] })),
    resize('a', { status: { phase: 'Failed' }, spec: { activeDeadlineSeconds: 9 } }),
    resize('a', containers({ name: 'other', image: IMAGE, resources: SMALL })),
    req('PATCH pods/a', main({ requests: { cpu: '2' } }), { type: 'strategic', codeOnly: true }),
    req('PATCH pods/a/status', main({ requests: { cpu: '3' } }), { type: 'strategic' }),
    resize(
      'a',
      main(
        { requests: { cpu: '170m' } },
        { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
      ),
    ),
    resize('a', [{ op: 'replace', path: '/spec/containers/0/name', value: 'other' }], 'json'),
    resize('a', { spec: { initContainers: [{ name: 'first', image: IMAGE }] } }),
    req('GET pods/a'),
  ],
  'sizes that are refused': [
    req('POST pods', pod('a', { containers: [sized(SMALL)] })),
    resize('a', main({ requests: { cpu: '2' } })),
    resize('a', main({ requests: { cpu: 'much' } })),
    resize('a', { spec: { containers: [sized({ requests: { cpu: 'much' } })] } }, 'merge'),
    req('POST pods', pod('odd', { containers: [sized({ limits: { cpu: 'much' } })] })),
    resize('a', main({ requests: { cpu: '-1' } })),
    resize('a', main({ limits: { memory: '32Mi' } })),
    resize('a', main({ limits: { cpu: null } })),
    resize('a', main({ requests: { memory: null } })),
    resize('a', main({ requests: { cpu: '1', memory: '128Mi' } })),
    resize('a', containers({ name: 'main', resources: null })),
    resize('a', main({ requests: { 'ephemeral-storage': '1Gi' } }), 'strategic'),
    req('POST pods', pod('plain')),
    resize('plain', main({ requests: { cpu: '1' } })),
    req('POST pods', pod('whole', { containers: [sized({ limits: { cpu: '1', memory: '1Gi' } })] })),
    resize('whole', main({ limits: { cpu: '2' } })),
    resize('whole', main({ requests: { cpu: '2' }, limits: { cpu: '2' } })),
    req(
      'PATCH pods/whole/resize?fieldManager=me',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'whole' },
        ...main({ limits: { cpu: '3' }, requests: { cpu: '3' } }),
      },
      { type: 'apply' },
    ),
    req(
      'PATCH pods/whole/resize?fieldManager=me&force=true',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'whole' },
        ...main({ limits: { cpu: '3' }, requests: { cpu: '3' } }),
      },
      { type: 'apply' },
    ),
    req(
      'POST pods',
      pod('init', {
        initContainers: [
          { name: 'first', image: IMAGE, resources: SMALL },
          { name: 'beside', image: IMAGE, restartPolicy: 'Always', resources: SMALL },
        ],
        containers: [sized(SMALL)],
      }),
    ),
    resize('init', { spec: { initContainers: [{ name: 'first', resources: { requests: { cpu: '200m' } } }] } }),
    resize('init', { spec: { initContainers: [{ name: 'beside', resources: { requests: { cpu: '200m' } } }] } }),
  ],
  'resizing a pod that runs': [
    req('POST pods', pod('old', { containers: [sized(SMALL)] })),
    req('PATCH pods/old/status', running(), { type: 'strategic', codeOnly: true }),
    resize('old', main({ requests: { cpu: '200m' } })),
    req('POST pods', pod('new', { containers: [sized(SMALL)] })),
    req('PATCH pods/new/status', running(SMALL), { type: 'strategic', codeOnly: true }),
    resize('new', main({ requests: { cpu: '200m' } })),
    req('POST pods', pod('done', { containers: [sized(SMALL)] })),
    req('PATCH pods/done/status', { status: { phase: 'Succeeded' } }, { codeOnly: true }),
    resize('done', main({ requests: { cpu: '200m' } })),
    req(
      'POST resourcequotas',
      {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'few' },
        spec: { hard: { 'requests.cpu': '600m' } },
      },
      { codeOnly: true },
    ),
    req('GET resourcequotas/few', undefined, {
      codeOnly: true,
      until: (_s, body) => JSON.stringify(body).includes('"used"'),
    }),
    resize('new', main({ requests: { cpu: '900m' } }), 'strategic'),
  ],
};
