import { readFileSync, writeFileSync } from 'node:fs';
import { differences } from '../comparable';
import { type KubectlTarget, kubectl } from '../documents/kubectl';
import type { Report } from '../result';

/** The fields that kubectl explains of a kind whose definition or built-in schema a server has, by the name of the kind. */
const RECORDED = new URL('./recorded/explain.json', import.meta.url);

const KINDS = [
  ...['checkpoints', 'commits', 'globalsecurityprofiles', 'globaltrafficpolicies', 'sandboxclaims', 'sandboxes'],
  ...['sandboxsets', 'sandboxtemplates', 'sandboxupdateops', 'securityprofiles', 'trafficpolicies'],
  ...['namespaces', 'nodes', 'pods', 'events', 'configmaps', 'secrets', 'serviceaccounts', 'leases'],
  ...['persistentvolumeclaims', 'resourcequotas', 'roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  'customresourcedefinitions',
];

/** Compares the fields that `kubectl explain` shows with those that it shows on kube-apiserver, or writes them down. */
export async function runExplain(target: KubectlTarget, report: Report, record: boolean): Promise<void> {
  const known = record ? {} : (JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, string>);
  const seen: Record<string, string> = {};
  for (const kind of KINDS) {
    const { stdout, stderr } = await kubectl(target, { args: ['explain', kind, '--recursive'] });
    seen[kind] = fieldsIn(stdout + stderr);
    if (record) continue;
    const details = differences((known[kind] ?? '').split('\n'), seen[kind].split('\n'));
    const outcome = details.length === 0 ? 'passed' : 'failed';
    report({ suite: 'api', group: 'explain', name: `kubectl explain ${kind} --recursive`, outcome, details });
  }
  if (record) writeFileSync(RECORDED, `${JSON.stringify(seen, null, 1)}\n`);
}

/** An explanation without its prose: a server may know its kinds without it. */
function fieldsIn(text: string): string {
  return text.replace(/^DESCRIPTION:\n(?:.*\n)*?(?=FIELDS:)/m, '').trimEnd();
}
