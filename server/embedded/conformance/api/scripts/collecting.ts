import { configMap, gone, pod, req, type Scripts, sandbox } from '../script';
import { passingCrd } from '../widget-crd';

const away = (line: string) => req(line, undefined, { until: gone });
const owner = (name: string, more: object = {}) => ({
  ownerReferences: [{ apiVersion: 'agents.kruise.io/v1alpha1', kind: 'Sandbox', name, uid: `{${name}.uid}`, ...more }],
});
const HELD = { finalizers: ['agents.example/hold'] };

const metadata = (body: unknown) =>
  (body as { metadata?: { ownerReferences?: unknown; finalizers?: string[] } }).metadata;
const ownerless = (_status: number, body: unknown) => metadata(body)?.ownerReferences === undefined;

const VISITORS = '/apis/{ns}.example/v1/namespaces/{ns}/visitors';
const visitor = (name: string, metadata: object = {}) => ({
  apiVersion: '{ns}.example/v1',
  kind: 'Visitor',
  metadata: { name, ...metadata },
});
const ofVisitor = (name: string) => ({
  ownerReferences: [{ apiVersion: '{ns}.example/v1', kind: 'Visitor', name, uid: `{${name}.uid}` }],
});
const up = (status: number) => status === 200;

export const collecting: Scripts = {
  'config maps, secrets and accounts': [
    req('POST sandboxes', sandbox('owner')),
    req('POST configmaps', configMap('map', {}, owner('owner'))),
    req('POST secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'secret', ...owner('owner') } }),
    req('POST serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'account', ...owner('owner') },
    }),
    req('DELETE sandboxes/owner', undefined, { codeOnly: true }),
    away('GET configmaps/map'),
    away('GET secrets/secret'),
    away('GET serviceaccounts/account'),
  ],
  'a config map that owns': [
    req('POST configmaps', configMap('owner')),
    req('POST sandboxes', {
      ...sandbox('child'),
      metadata: {
        name: 'child',
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '{owner.uid}' }],
      },
    }),
    req('DELETE configmaps/owner'),
    away('GET sandboxes/child'),
  ],
  'kinds that come and go': [
    req('POST crds', passingCrd('{ns}.example'), { codeOnly: true }),
    req(`GET ${VISITORS}`, undefined, { until: up, codeOnly: true }),
    req(`POST ${VISITORS}`, visitor('one'), { until: (status) => status === 201, codeOnly: true, keep: 'one' }),
    req(`POST ${VISITORS}`, visitor('child', ofVisitor('one')), { codeOnly: true }),
    req('POST configmaps', configMap('of-one', {}, ofVisitor('one'))),
    req(`DELETE ${VISITORS}/one`),
    away('GET configmaps/of-one'),
    away(`GET ${VISITORS}/child`),
    req(`POST ${VISITORS}`, visitor('two'), { codeOnly: true, keep: 'two' }),
    req('POST configmaps', configMap('of-two', {}, ofVisitor('two')), { codeOnly: true }),
    req('DELETE crds/visitors.{ns}.example', undefined, { codeOnly: true }),
    away('GET configmaps/of-two'),
  ],
  background: [
    req('POST sandboxes', sandbox('owner')),
    req('POST pods', pod('child', {}, owner('owner'))),
    req('DELETE sandboxes/owner'),
    away('GET pods/child'),
  ],
  'background is what a query says too': [
    req('POST sandboxes', sandbox('owner')),
    req('POST sandboxes', sandbox('child', {}, owner('owner'))),
    req('POST pods', pod('grandchild', {}, owner('child'))),
    req('DELETE sandboxes/owner?propagationPolicy=Background'),
    away('GET pods/grandchild'),
    away('GET sandboxes/child'),
  ],
  foreground: [
    req('POST sandboxes', sandbox('owner')),
    req('POST pods', pod('child', {}, { ...HELD, ...owner('owner', { blockOwnerDeletion: true }) })),
    req('DELETE sandboxes/owner?propagationPolicy=Foreground'),
    req('GET pods/child', undefined, {
      until: (_status, body) => 'deletionTimestamp' in (metadata(body) ?? {}),
    }),
    req('GET sandboxes/owner'),
    req('PATCH pods/child', { metadata: { finalizers: null } }),
    away('GET sandboxes/owner'),
  ],
  orphan: [
    req('POST sandboxes', sandbox('owner')),
    req('POST pods', pod('child', {}, owner('owner'))),
    req('DELETE sandboxes/owner', { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Orphan' }),
    away('GET sandboxes/owner'),
    req('GET pods/child', undefined, { until: ownerless }),
  ],
  'two owners': [
    req('POST sandboxes', sandbox('one')),
    req('POST sandboxes', sandbox('two')),
    req(
      'POST pods',
      pod('child', {}, { ownerReferences: [...owner('one').ownerReferences, ...owner('two').ownerReferences] }),
    ),
    req('DELETE sandboxes/one'),
    req('GET pods/child', undefined, {
      until: (_status, body) => (metadata(body)?.ownerReferences as unknown[] | undefined)?.length === 1,
    }),
    req('DELETE sandboxes/two'),
    away('GET pods/child'),
  ],
  'an owner that never was': [
    req('POST sandboxes', sandbox('a')),
    req(
      'POST pods',
      pod(
        'child',
        {},
        { ownerReferences: [{ ...owner('a').ownerReferences[0], uid: '00000000-0000-4000-8000-000000000000' }] },
      ),
    ),
    away('GET pods/child'),
  ],
};
