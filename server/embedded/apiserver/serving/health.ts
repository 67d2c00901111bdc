import { own } from '../core/objects';

/**
 * The checks that kube-apiserver 1.35 names. Here there is one process without parts that could fail alone: it answers,
 * so they are well.
 */
const CHECKS = [
  'ping',
  'log',
  'etcd',
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/storage-object-count-tracker-hook',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-apiserver-identity-lease-controller',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
  'poststarthook/start-legacy-token-tracking-controller',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kubernetes-service-cidr-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];

const AFTER_ETCD = CHECKS.indexOf('etcd') + 1;

const ENDPOINTS: Record<string, readonly string[]> = {
  healthz: CHECKS,
  livez: CHECKS,
  readyz: [...CHECKS.slice(0, AFTER_ETCD), 'etcd-readiness', 'informer-sync', ...CHECKS.slice(AFTER_ETCD), 'shutdown'],
};

export const isHealth = ([root = '']: readonly string[]): boolean => Object.hasOwn(ENDPOINTS, root);

/** `/livez`, `/readyz`, `/healthz`, or one check of theirs; undefined where there is no such check. */
export function healthAt([root = '', ...check]: readonly string[], query: URLSearchParams): string | undefined {
  const checks = own(ENDPOINTS, root);
  if (checks === undefined) return undefined;
  if (check.length > 0) return checks.includes(check.join('/')) ? 'ok' : undefined;
  if (!query.has('verbose')) return 'ok';
  const excluded = query.getAll('exclude');
  const lines = checks.map((name) => `[+]${name} ${excluded.includes(name) ? 'excluded: ok' : 'ok'}\n`);
  return `${lines.join('')}${root} check passed\n`;
}
