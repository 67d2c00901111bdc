import type { KubeObject } from '@/lib/contracts/objects';

/** Keys that Kubernetes and the controllers write (domain 2.1). */
const written = /^([a-z0-9-]+\.)*(kruise\.io|kubernetes\.io|k8s\.io)\//;
const naming = ['user', 'team'];
const rank = (key: string) => (naming.includes(key) ? naming.indexOf(key) : naming.length);

/** Labels that people gave an object, those that name somebody first. */
export function userLabels({
  metadata: { labels = {} },
}: {
  metadata: Pick<KubeObject['metadata'], 'labels'>;
}): [key: string, value: string][] {
  return Object.entries(labels)
    .filter(([key]) => !written.test(key))
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
