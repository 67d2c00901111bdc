import { deepEqual, fieldsOf, type KubeObject, listOf } from '../core/objects';
import type { Storage } from '../core/storage';
import { rulesOf } from './rbac';
import type { PolicyRule } from './rules';

const CLUSTER_ROLES = 'clusterroles.rbac.authorization.k8s.io';

function selects(selector: unknown, { metadata }: KubeObject): boolean {
  const wanted = Object.entries(fieldsOf(selector, 'matchLabels'));
  return wanted.length > 0 && wanted.every(([key, value]) => metadata.labels?.[key] === value);
}

/**
 * Keeps the rules of ClusterRoles with an `aggregationRule` what the roles say that it selects (the ClusterRole
 * aggregation controller). Returns how to stop.
 */
export function aggregateClusterRoles(storage: Storage): () => void {
  const roles = storage.collection(CLUSTER_ROLES);
  const aggregate = () => {
    for (const { key, object } of [...roles.items.values()]) {
      const selectors = listOf(object, 'aggregationRule', 'clusterRoleSelectors');
      if (selectors.length === 0) continue;
      const rules: PolicyRule[] = [];
      for (const { object: other } of roles.items.values()) {
        if (other.metadata.name === object.metadata.name || !selectors.some((selector) => selects(selector, other))) {
          continue;
        }
        for (const rule of rulesOf(other)) {
          if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
        }
      }
      // Each write is seen here again, so roles that take in one another settle.
      if (!deepEqual(rules, listOf(object, 'rules'))) storage.put(CLUSTER_ROLES, key, { ...object, rules });
    }
  };
  // Not within the write that is being told of: watchers would hear of the second one first.
  const stop = roles.subscribe(() => queueMicrotask(aggregate));
  aggregate();
  return stop;
}
