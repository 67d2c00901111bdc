import { configMap, gone, req, type Scripts } from '../script';
import { passingCrd } from '../widget-crd';

const space = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...metadata },
});
const up = (status: number) => status === 200;
const visitor = { apiVersion: '{ns}.example/v1', kind: 'Visitor', metadata: { name: 'v' }, spec: { n: 1 } };
const VISITORS = '/apis/{ns}.example/v1/namespaces/{ns}/visitors';

const established = (_status: number, body: unknown) => JSON.stringify(body).includes('"type":"Established"');

export const clusters: Scripts = {
  namespaces: [
    req('POST namespaces', space('{ns}-x', { labels: { a: 'b' } })),
    req('POST namespaces', space('{ns}-x')),
    req('GET namespaces/{ns}-x'),
    req('PATCH namespaces/{ns}-x', { metadata: { labels: { a: 'c' } } }),
    req('PATCH namespaces/{ns}-x', { metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } } }),
    req('POST /api/v1/namespaces/{ns}-x/configmaps', configMap('held', {}, { finalizers: ['agents.example/hold'] }), {
      codeOnly: true,
    }),
    req('DELETE namespaces/{ns}-x'),
    req('POST /api/v1/namespaces/{ns}-x/configmaps', configMap('late')),
    req('GET /api/v1/namespaces/{ns}-x/configmaps/held', undefined, {
      until: (_status, body) => JSON.stringify(body).includes('deletionTimestamp'),
    }),
    req('GET namespaces/{ns}-x', undefined, { accept: 'table' }),
    req('DELETE namespaces/{ns}-x', undefined, { codeOnly: true }),
    req('PATCH /api/v1/namespaces/{ns}-x/configmaps/held', { metadata: { finalizers: null } }, { codeOnly: true }),
    req('GET namespaces/{ns}-x', undefined, { until: gone }),
    req('DELETE /api/v1/namespaces'),
    req('DELETE namespaces/default', undefined),
  ],
  'definitions that come and go': [
    req(`GET ${VISITORS}`),
    req('POST crds', passingCrd('{ns}.example')),
    req('GET crds/visitors.{ns}.example', undefined, { until: established, codeOnly: true }),
    req(`GET ${VISITORS}`, undefined, { until: up }),
    req(`POST ${VISITORS}`, visitor),
    req(`POST ${VISITORS}`, visitor),
    req('GET /apis/{ns}.example', undefined, { until: up }),
    req('GET /apis/{ns}.example/v1'),
    req('POST crds', passingCrd('{ns}.example')),
    req(`GET ${VISITORS}?watch=1`, undefined, { open: 'w' }),
    req('DELETE crds/visitors.{ns}.example', undefined, { codeOnly: true }),
    req(`GET ${VISITORS}`, undefined, { until: gone }),
    req('GET /apis/{ns}.example', undefined, { until: gone }),
    req('GET crds/visitors.{ns}.example', undefined, { until: gone }),
    req('POST crds', passingCrd('{ns}.example'), { codeOnly: true }),
    req(`GET ${VISITORS}`, undefined, { until: up }),
    req('DELETE crds/visitors.{ns}.example', undefined, { codeOnly: true }),
  ],
  'definitions that are refused': [
    req('POST crds', { ...passingCrd('{ns}.example'), metadata: { name: 'others.{ns}.example' } }),
    req('POST crds', { ...passingCrd('{ns}.example'), spec: {} }, { codeOnly: true }),
  ],
  health: [
    ...['/healthz', '/livez', '/readyz', '/livez/ping', '/readyz/ping'].map((path) => req(`GET ${path}`)),
    req('GET /livez/none'),
    req('GET /livez?verbose', undefined, { codeOnly: true }),
    req('GET /version', undefined, { codeOnly: true }),
    req('GET /metrics', undefined, { codeOnly: true }),
    req('POST /version', undefined, { codeOnly: true }),
  ],
  discovery: [
    req('GET /api', undefined, { codeOnly: true }),
    req('GET /apis/missing.example'),
    req('GET /apis/missing.example/v1'),
    req('GET /apis/agents.kruise.io'),
    req('GET /apis/conformance.agents.example'),
    req('GET /apis/coordination.k8s.io', undefined, { codeOnly: true }),
    req('GET /openapi/v3/apis/missing.example/v1', undefined, { codeOnly: true }),
    req('GET /openapi/v3/api/v1', undefined, { codeOnly: true }),
    req('GET /apis', undefined, {
      codeOnly: true,
      accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    }),
    req('GET /api/v1/nodes', undefined, { codeOnly: true }),
  ],
};
