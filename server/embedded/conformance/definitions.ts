import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const PATIENCE_MS = 30_000;

/** Installs the agents.kruise.io definitions that a cluster lacks, and waits until they are served. */
export async function installDefinitions(client: Client): Promise<void> {
  const file = new URL('../schemas/agents.kruise.io.json', import.meta.url);
  const definitions = JSON.parse(readFileSync(file, 'utf8')) as {
    metadata: { name: string };
    spec: { group: string; names: { plural: string }; versions: { name: string }[] };
  }[];
  for (const definition of definitions) {
    const { status } = await client.send({ method: 'GET', path: `${CRDS}/${definition.metadata.name}` });
    if (status !== 404) continue;
    const headers = { 'Content-Type': 'application/json' };
    await client.send({ method: 'POST', path: CRDS, headers, body: JSON.stringify(definition) });
  }
  for (const { spec } of definitions) {
    await waitFor(
      client,
      `/apis/${spec.group}/${spec.versions[0]?.name}/${spec.names.plural}`,
      (status) => status === 200,
    );
  }
}

/** Asks until the answer is as wanted; throws when it does not become so. */
export async function waitFor(
  client: Client,
  path: string,
  holds: (status: number, text: string) => boolean,
): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
    const { status, text } = await client.send({ method: 'GET', path });
    if (holds(status, text)) return;
  }
  throw new Error(`${path} has not come into its state within ${PATIENCE_MS / 1000} s`);
}
