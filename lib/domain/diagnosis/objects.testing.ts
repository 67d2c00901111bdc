import type { EventRow, KubeObject } from '@/lib/contracts/objects';
import { standardLimits } from '../limits';
import type { DiagnoseInput } from './diagnose';

/** Objects for tests: a claimed sandbox that runs, its Pod, and what a test changes of them. */

export const now = Date.parse('2026-11-03T08:00:00Z');
export const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

type Fields = Record<string, unknown>;

export interface Changes {
  metadata?: Fields;
  spec?: Fields;
  status?: Fields;
}

export const condition = (type: string, status: string, reason: string, seconds = 60, message = ''): Fields => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: ago(seconds),
});

const prefix = 'agents.kruise.io/';

export function sandboxObject({ metadata, spec, status }: Changes = {}): KubeObject {
  const { labels, ...rest } = metadata ?? {};
  return {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: {
      name: 'box',
      namespace: 'agents',
      uid: 'box-uid',
      generation: 2,
      creationTimestamp: ago(3600),
      labels: { [`${prefix}sandbox-claimed`]: 'true', ...(labels as Record<string, string> | undefined) },
      ...rest,
    },
    spec: { template: { spec: { containers: [{ name: 'main', image: 'reg/code:v1' }] } }, ...spec },
    status: {
      observedGeneration: 2,
      phase: 'Running',
      podInfo: { podUID: 'pod-uid', nodeName: 'node-1' },
      conditions: [condition('Ready', 'True', 'PodReady')],
      ...status,
    },
  };
}

export function podObject({ metadata, spec, status }: Changes = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'box',
      namespace: 'agents',
      uid: 'pod-uid',
      ownerReferences: [
        { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'Sandbox', name: 'box', uid: 'box-uid', controller: true },
      ],
      ...metadata,
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'reg/code:v1' }], ...spec },
    status: { phase: 'Running', conditions: [condition('Ready', 'True', '')], ...status },
  };
}

export const event = (reason: string, message = '', count = 1): EventRow => ({
  uid: reason,
  at: now - 10_000,
  count,
  type: 'Warning',
  reason,
  message,
});

/** A healthy sandbox with all of its neighbours known. */
export const healthy = (change: Partial<DiagnoseInput> = {}): DiagnoseInput => ({
  sandbox: sandboxObject(),
  pod: podObject(),
  node: { name: 'node-1', ready: true },
  events: [],
  operations: [],
  checkpoints: [],
  now,
  limits: standardLimits,
  ...change,
});
