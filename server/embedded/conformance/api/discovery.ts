import { readFileSync } from 'node:fs';
import type { Client } from '../client';
import { comparable, differences } from '../comparable';
import type { Report } from '../result';

type Fields = Record<string, unknown>;

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const RUN = { namespace: 'no namespace is in these' };

/** Groups and kinds of a whole Kubernetes that a cluster need not have for sandboxes. */
const NEEDED: Record<string, readonly string[]> = {
  '': ['configmaps', 'events', 'namespaces', 'nodes', 'persistentvolumes', 'pods', 'secrets', 'serviceaccounts'],
  'agents.kruise.io': [],
  'apiextensions.k8s.io': ['customresourcedefinitions'],
  'authorization.k8s.io': ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  'coordination.k8s.io': ['leases'],
  'events.k8s.io': ['events'],
  'rbac.authorization.k8s.io': ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
};

/** Compares what the server says of itself with what kube-apiserver was recorded saying, kind by kind. */
export async function runDiscovery(client: Client, report: Report): Promise<void> {
  const file = new URL('./recorded/discovery.json', import.meta.url);
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Fields>;
  const get = async (path: string, accept?: string) => {
    const headers = accept === undefined ? {} : { Accept: accept };
    const { text } = await client.send({ method: 'GET', path, headers });
    return JSON.parse(text) as Fields;
  };
  const check = (name: string, expected: unknown, got: unknown) => {
    const details = differences(comparable(expected, RUN), comparable(got, RUN));
    report({ suite: 'api', group: 'discovery', name, outcome: details.length === 0 ? 'passed' : 'failed', details });
  };

  check('GET /apis/agents.kruise.io', recorded['agents-group'], await get('/apis/agents.kruise.io'));
  const agents = await get('/apis/agents.kruise.io/v1alpha1');
  const byName = (list: unknown) =>
    new Map((list as Fields[]).map((item) => [String(item.name ?? item.resource), item]));
  const own = byName(agents.resources);
  for (const [name, entry] of byName(recorded['agents-v1alpha1']?.resources)) {
    check(`agents.kruise.io/v1alpha1 ${name}`, entry, own.get(name));
  }
  const core = byName((await get('/api/v1')).resources);
  for (const [name, entry] of byName(recorded['api-v1']?.resources)) {
    if (NEEDED['']?.includes(name)) check(`v1 ${name}`, entry, core.get(name));
  }
  const groups = byName((await get('/apis')).groups);
  for (const [name, entry] of byName(recorded.apis?.groups)) {
    if (NEEDED[name] !== undefined) check(`group ${name}`, entry, groups.get(name));
  }
  for (const [root, key] of [
    ['/api', 'api-aggregated'],
    ['/apis', 'apis-aggregated'],
  ] as const) {
    const got = aggregated(await get(root, AGGREGATED));
    for (const [name, entry] of aggregated(recorded[key] ?? {})) {
      const [group = '', kind = ''] = name.split(' ');
      const needed = NEEDED[group];
      if (needed?.includes(kind) || (group === 'agents.kruise.io' && needed !== undefined)) {
        check(`aggregated ${name}`, entry, got.get(name));
      }
    }
  }
}

/** A simulated node has no process to reach or to add to. */
const OF_NODES = ['proxy', 'ephemeralcontainers'];

function withoutNodes({ subresources, ...entry }: Fields): Fields {
  const kept = ((subresources ?? []) as Fields[]).filter(({ subresource }) => !OF_NODES.includes(String(subresource)));
  return kept.length === 0 ? entry : { ...entry, subresources: kept };
}

/** The resources of aggregated discovery by `group plural`. */
function aggregated(list: Fields): Map<string, unknown> {
  const groups = (list.items ?? []) as { metadata: { name?: string }; versions: { resources: Fields[] }[] }[];
  return new Map(
    groups.flatMap(({ metadata, versions }) =>
      versions.flatMap(({ resources }) =>
        resources.map((entry): [string, unknown] => [`${metadata.name ?? ''} ${entry.resource}`, withoutNodes(entry)]),
      ),
    ),
  );
}
