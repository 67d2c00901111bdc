import type { Client } from '../client';
import { waitFor } from '../definitions';
import { GADGET_CRD, WIDGET_CRD } from './widget-crd';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const JSON_TYPE = { 'Content-Type': 'application/json' };

type Definition = typeof WIDGET_CRD;

/** Installs the kinds that most checks are about. */
export async function install(client: Client): Promise<void> {
  for (const definition of [WIDGET_CRD, GADGET_CRD]) {
    // One that is left of an interrupted run goes first.
    await uninstall(client, definition);
    await client.send({ method: 'POST', path: CRDS, headers: JSON_TYPE, body: JSON.stringify(definition) });
    const { group, names } = definition.spec;
    await waitFor(client, `/apis/${group}/v1/${names.plural}`, (status) => status === 200);
  }
  // Only what the document names can be applied: the server builds it a moment after it serves the kind.
  await waitFor(client, '/openapi/v3', (_status, text) => text.includes(WIDGET_CRD.spec.group));
}

/** Removes those kinds. */
export async function uninstallAll(client: Client): Promise<void> {
  for (const definition of [WIDGET_CRD, GADGET_CRD]) await uninstall(client, definition);
}

/** Removes a definition, and what holds objects of its kind. */
async function uninstall(client: Client, { metadata, spec }: Definition): Promise<void> {
  const all = await client.send({ method: 'GET', path: `/apis/${spec.group}/v1/${spec.names.plural}` });
  const { items = [] } = (all.status === 200 ? JSON.parse(all.text) : {}) as {
    items?: { metadata: { name: string; namespace: string; finalizers?: string[] } }[];
  };
  for (const { name, namespace, finalizers } of items.map((item) => item.metadata)) {
    if (finalizers === undefined) continue;
    const path = `/apis/${spec.group}/v1/namespaces/${namespace}/${spec.names.plural}/${name}`;
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    await client.send({ method: 'PATCH', path, headers, body: '{"metadata":{"finalizers":null}}' });
  }
  const path = `${CRDS}/${metadata.name}`;
  await client.send({ method: 'DELETE', path });
  await waitFor(client, path, (status) => status === 404);
}
