import { readFileSync } from 'node:fs';
import { establishedStatus } from './kind-registry';
import type { KubeObject } from './objects';
import { newUid, type Storage, timestamp } from './storage';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

function stored(apiVersion: string, kind: string, name: string, rest: Partial<KubeObject>): KubeObject {
  return {
    apiVersion,
    kind,
    ...rest,
    metadata: { name, uid: newUid(), resourceVersion: '', creationTimestamp: timestamp(), ...rest.metadata },
  };
}

/** Fills an empty storage with what every cluster has: namespaces, and the agents.kruise.io definitions if wanted. */
export function seed(storage: Storage, agents: boolean): void {
  for (const name of NAMESPACES) {
    const labels = { 'kubernetes.io/metadata.name': name };
    const object = stored('v1', 'Namespace', name, {
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    storage.put('namespaces', name, { ...object, metadata: { ...object.metadata, labels } });
  }
  if (!agents) return;
  const file = new URL('../schemas/agents.kruise.io.json', import.meta.url);
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
