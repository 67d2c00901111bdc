import { readFileSync } from 'node:fs';
import type { Client } from '../client';
import { comparable, differences } from '../comparable';
import type { Report } from '../result';
import { type KubectlCluster, withKubectl } from '../with-kubectl';
import { runKubectl } from './kubectl';
import { Stage } from './stage';

interface Recorded {
  columns: { name: string }[];
  rows: unknown[][];
}

const AGENTS = '/apis/agents.kruise.io/v1alpha1/namespaces/{ns}';
const PATHS: Record<string, string> = {
  sbs: `${AGENTS}/sandboxsets`,
  sbx: `${AGENTS}/sandboxes`,
  sbc: `${AGENTS}/sandboxclaims`,
  sbt: `${AGENTS}/sandboxtemplates`,
  suo: `${AGENTS}/sandboxupdateops`,
  cp: `${AGENTS}/checkpoints`,
  pods: '/api/v1/namespaces/{ns}/pods',
  events: '/api/v1/namespaces/{ns}/events',
  nodes: '/api/v1/nodes',
  namespaces: '/api/v1/namespaces',
};
/** Nodes and events are those of another run. */
const COLUMNS_ONLY = ['nodes', 'events'];
const ACCEPT = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Builds the small state that was recorded, and compares what `kubectl get` is sent, and what it prints. */
export async function runTables(client: Client, cluster: KubectlCluster, report: Report): Promise<void> {
  const namespace = `tables-${Date.now().toString(36).slice(-5)}`;
  const file = new URL('./recorded/tables.json', import.meta.url);
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Recorded>;
  await new Stage(client).setTables(namespace);
  try {
    for (const [name, { columns, rows }] of Object.entries(recorded)) {
      const path = (PATHS[name] ?? '').replace('{ns}', namespace);
      const { text } = await client.send({ method: 'GET', path, headers: { Accept: ACCEPT } });
      const table = JSON.parse(text) as { columnDefinitions: Record<string, unknown>[]; rows: { cells: unknown[] }[] };
      const check = (what: string, expected: unknown, got: unknown) => {
        const details = differences(expected, got);
        const outcome = details.length === 0 ? 'passed' : 'failed';
        report({ suite: 'api', group: 'tables', name: `${what} of ${name}`, outcome, details });
      };
      const shown = table.columnDefinitions.map(({ description: _prose, ...column }) => column);
      check('columns', columns, shown);
      if (COLUMNS_ONLY.includes(name)) continue;
      const always = ([first]: unknown[]) => name !== 'namespaces' || /^(default|kube-.*)$/.test(String(first));
      const got = table.rows.map(({ cells }) => cells).filter(always);
      check('rows', neutral(rows.filter(always), 'rec-80'), neutral(got, namespace));
    }
    if (!(await withKubectl(cluster, (target) => runKubectl(target, namespace, report)))) {
      const details = ['There is no kubectl on the PATH.'];
      report({ suite: 'api', group: 'kubectl', name: 'what kubectl prints', outcome: 'skipped', details });
    }
  } finally {
    await client.send({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  }
}

/** Rows without what is of one run alone, in an order of their own: names are drawn by lot. */
function neutral(rows: unknown[][], namespace: string): unknown {
  const cells = rows.map((row) => ({ cells: row }));
  const texts = (comparable(cells, { namespace, controllers: true }) as object[]).map((row) => JSON.stringify(row));
  return texts.sort();
}
