import type { SandboxRow } from '@/lib/contracts/rows';
import { kubectlDescribe, kubectlGet, quote } from '../kubectl';

/** So many sandboxes are named in one line. */
const named = 20;
const hourMs = 3_600_000;

/** Names of the default chart of the controller. */
const controller = { namespace: 'sandbox-system', deployment: 'deploy/sandbox-controller-manager' };

/** What somebody on call would type to see the same, nothing that changes anything. The last one reads the controller's log. */
export function bundleCommands(rows: readonly SandboxRow[], now: number): string[] {
  const [first] = rows;
  if (!first) return [];
  const { ns, name, pool } = first;
  const names = rows.slice(0, named).map((row) => row.name);
  const oldest = Math.min(now, ...rows.slice(0, named).flatMap(({ since }) => since ?? []));
  const hours = Math.min(24, Math.ceil((now - oldest) / hourMs) + 1);
  return [
    pool === undefined || rows.length === 1
      ? kubectlGet(ns, `sbx ${names.map(quote).join(' ')}`, undefined, 'wide')
      : `kubectl -n ${quote(ns)} get sbx -l ${quote(`agents.kruise.io/sandbox-pool=${pool}`)} -o wide`,
    kubectlGet(ns, 'sbx', name, 'yaml'),
    kubectlGet(ns, 'pod', name, 'yaml'),
    kubectlDescribe(ns, 'pod', name),
    `kubectl -n ${quote(ns)} get events --field-selector ${quote(`involvedObject.name=${name}`)} --sort-by=.lastTimestamp`,
    `kubectl -n ${controller.namespace} logs ${controller.deployment} --all-pods --since=${hours}h | grep -F ${names.map((each) => `-e ${quote(each)}`).join(' ')}`,
  ];
}
