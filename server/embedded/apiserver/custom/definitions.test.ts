import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fields, listOf, textOf } from '../core/objects';
import { type ApiServer, startApiServer } from '../server';
import { openWatch, send } from '../testing';

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer({ agents: false });
});
afterEach(() => server.close());

const crds = () => `${server.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`;
const crd = () => `${crds()}/widgets.example.com`;
const widgets = (version = 'v1') => `${server.url}/apis/example.com/${version}/namespaces/default/widgets`;
const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };

const spec = {
  type: 'object',
  properties: { size: { type: 'integer', maximum: 9 } },
};
const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  subresources: { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
  schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
});
const definition = (more: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [version('v1', true), version('v2', false)],
    ...more,
  },
});
const widget = (size: number) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w' },
  spec: { size },
});

const causes = ({ body }: { body: Fields }) =>
  listOf(body, 'details', 'causes').map((cause) => `${textOf(cause, 'field')}: ${textOf(cause, 'message')}`);
const change = (patch: object[]) => send(crd(), 'PATCH', patch, JSON_PATCH);

describe('a CustomResourceDefinition', () => {
  it('has a scope that exists, a schema for each version, and one version that is stored', async () => {
    const { schema: _none, ...bare } = version('v1', false);
    expect(causes(await send(crds(), 'POST', definition({ scope: 'Other', versions: [] })))).toEqual([
      'spec.scope: Unsupported value: "Other": supported values: "Cluster", "Namespaced"',
      'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
      'status.storedVersions: Invalid value: null: must have at least one stored version',
    ]);
    expect(causes(await send(crds(), 'POST', definition({ versions: [{ ...bare, storage: true }] })))).toEqual([
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ]);
    expect((await send(crds(), 'POST', definition())).status).toBe(201);
  });

  it('keeps what its objects are found by', async () => {
    await send(crds(), 'POST', definition());
    expect(causes(await send(crd(), 'PATCH', { spec: { scope: 'Cluster', names: { plural: 'others' } } }))).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.plural: Invalid value: "others": field is immutable',
    ]);
  });
});

describe('the kind of a CustomResourceDefinition', () => {
  beforeEach(async () => {
    await send(crds(), 'POST', definition());
    await send(widgets(), 'POST', widget(3));
  });

  it('is scaled where the definition says, and stays valid', async () => {
    expect((await send(`${widgets()}/w/scale`, 'PATCH', { spec: { replicas: 5 } })).body.spec).toEqual({ replicas: 5 });
    expect((await send(`${widgets()}/w`, 'GET')).body.spec).toEqual({ size: 5 });
    const refused = await send(`${widgets()}/w/scale`, 'PATCH', { spec: { replicas: 50 } });
    const why = 'spec.size: Invalid value: 50: spec.size in body should be less than or equal to 9';
    expect([refused.status, ...causes(refused)]).toEqual([422, why]);
  });

  it('is not served while its version is not, and its objects are there afterwards', async () => {
    const watch = await openWatch(`${widgets()}?watch=1`);
    await change([{ op: 'replace', path: '/spec/versions/0/served', value: false }]);
    await watch.ended;
    expect((await fetch(`${widgets()}/w`)).status).toBe(404);
    expect((await send(`${widgets('v2')}/w`, 'GET')).status).toBe(200);
    await change([{ op: 'replace', path: '/spec/versions/0/served', value: true }]);
    expect((await send(`${widgets()}/w`, 'GET')).body.spec).toEqual({ size: 3 });
  });

  it('goes with the definition, and so do its objects, whether it was served or not', async () => {
    await change([0, 1].map((index) => ({ op: 'replace', path: `/spec/versions/${index}/served`, value: false })));
    await send(crd(), 'DELETE');
    await send(crds(), 'POST', definition());
    expect((await send(`${widgets()}/w`, 'GET')).status).toBe(404);
    expect((await send(widgets(), 'POST', widget(1))).status).toBe(201);
  });
});
