import { readFileSync } from 'node:fs';
import { BINDINGS, CLUSTER_ROLES } from '../auth/built-in-roles';
import type { KubeObject } from '../core/objects';
import { keyOf, newUid, type Storage, timestamp } from '../core/storage';
import { establishedStatus } from '../custom/definitions';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

function stored(apiVersion: string, kind: string, name: string, rest: Partial<KubeObject>): KubeObject {
  return {
    apiVersion,
    kind,
    ...rest,
    metadata: { name, uid: newUid(), resourceVersion: '', creationTimestamp: timestamp(), ...rest.metadata },
  };
}

const RBAC = 'rbac.authorization.k8s.io';
const MADE_HERE = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

/** A newer server brings them up to date. */
const UPDATED_HERE = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' };

function seedRoles(storage: Storage): void {
  const version = `${RBAC}/v1`;
  for (const { name, labels, aggregates, rules } of CLUSTER_ROLES) {
    const matchLabels = { [`rbac.authorization.k8s.io/aggregate-to-${aggregates}`]: 'true' };
    const role = stored(version, 'ClusterRole', name, {
      ...(aggregates === undefined ? {} : { aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } }),
      rules,
    });
    role.metadata.annotations = UPDATED_HERE;
    role.metadata.labels = { ...MADE_HERE, ...labels };
    storage.put(`clusterroles.${RBAC}`, name, role);
  }
  for (const { name, role, groups, namespace } of BINDINGS) {
    const binding = stored(version, namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding', name, {
      subjects: groups.map((group) => ({ kind: 'Group', apiGroup: RBAC, name: group })),
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    });
    binding.metadata.annotations = UPDATED_HERE;
    binding.metadata.labels = MADE_HERE;
    if (namespace === undefined) storage.put(`clusterrolebindings.${RBAC}`, name, binding);
    else {
      binding.metadata.namespace = namespace;
      storage.put(`rolebindings.${RBAC}`, keyOf(namespace, name), binding);
    }
  }
}

/**
 * Fills an empty storage with what every cluster has: namespaces, roles and who has them, and the agents.kruise.io
 * definitions if wanted.
 */
export function seed(storage: Storage, agents: boolean): void {
  fill(storage, agents);
  // What a cluster began with is older than what any of its servers remember.
  storage.compact();
}

function fill(storage: Storage, agents: boolean): void {
  for (const name of NAMESPACES) {
    const labels = { 'kubernetes.io/metadata.name': name };
    const object = stored('v1', 'Namespace', name, {
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    storage.put('namespaces', name, { ...object, metadata: { ...object.metadata, labels } });
  }
  seedRoles(storage);
  if (!agents) return;
  const file = new URL('../../schemas/agents.kruise.io.json', import.meta.url);
  const definitions: KubeObject[] = JSON.parse(readFileSync(file, 'utf8'));
  for (const { apiVersion, kind, metadata, spec } of definitions) {
    const object = stored(apiVersion, kind, metadata.name, { spec });
    object.metadata.generation = 1;
    storage.put('customresourcedefinitions.apiextensions.k8s.io', metadata.name, {
      ...object,
      status: establishedStatus(object),
    });
  }
}
