import { z } from 'zod';
import type { KubeObject } from '@/lib/contracts/objects';
import { fields, flag, listOf, text, texts, time, whole } from './lenient-shapes';
import { parseTime } from './time';
import { userLabels } from './user-labels';

/**
 * What a detail page reads of whole objects beyond their row. Every field may be missing or of another shape in
 * another version: then it is undefined, and the rest is read all the same.
 */

const condition = z.object({
  type: z.string(),
  status: z.string().catch('Unknown'),
  reason: text,
  message: text,
  lastTransitionTime: time,
});

const sandboxShape = fields({
  metadata: fields({ finalizers: texts }),
  spec: fields({
    pauseStrategy: fields({ type: text }),
    persistentContents: texts,
    runtimes: listOf(z.object({ name: z.string() })),
    upgradePolicy: fields({ type: text }),
    pauseTime: time,
    shutdownTime: time,
  }),
  status: fields({
    conditions: listOf(condition),
    podInfo: fields({ podUID: text, nodeName: text, podIP: text }),
    recycledCount: whole,
    updateRevision: text,
    message: text,
  }),
});

export interface ConditionReading {
  type: string;
  /** "True", "False", "Unknown", or what a newer controller writes. */
  status: string;
  reason?: string | undefined;
  message?: string | undefined;
  /** lastTransitionTime, epoch ms. */
  at: number | undefined;
}

export interface SandboxReading {
  /** Those that people gave it. */
  labels: [key: string, value: string][];
  finalizers: string[];
  /** spec.pauseStrategy.type; unset means Stop. */
  pauseStrategy: string | undefined;
  persistentContents: string[];
  runtimes: string[];
  upgradePolicy: string | undefined;
  pauseAt: number | undefined;
  shutdownAt: number | undefined;
  /** In the order of the object. */
  conditions: ConditionReading[];
  /** status.podInfo: not cleared while paused or failed, so it may name a Pod that is gone (domain 1.2). */
  podUid: string | undefined;
  podNode: string | undefined;
  podIp: string | undefined;
  recycledCount: number | undefined;
  updateRevision: string | undefined;
  message: string | undefined;
}

const conditionsOf = (conditions: z.infer<typeof condition>[]): ConditionReading[] =>
  conditions.map(({ lastTransitionTime, ...rest }) => ({ ...rest, at: lastTransitionTime }));

export function readSandbox(object: KubeObject): SandboxReading {
  const { metadata, spec, status } = sandboxShape.parse(object);
  return {
    labels: userLabels(object),
    finalizers: metadata.finalizers,
    pauseStrategy: spec.pauseStrategy.type,
    persistentContents: spec.persistentContents,
    runtimes: spec.runtimes.map((runtime) => runtime.name),
    upgradePolicy: spec.upgradePolicy.type,
    pauseAt: spec.pauseTime,
    shutdownAt: spec.shutdownTime,
    conditions: conditionsOf(status.conditions),
    podUid: status.podInfo.podUID,
    podNode: status.podInfo.nodeName,
    podIp: status.podInfo.podIP,
    recycledCount: status.recycledCount,
    updateRevision: status.updateRevision,
    message: status.message,
  };
}

const containerSpec = z.object({ name: z.string(), image: z.string().catch(''), restartPolicy: text });
const containerStatus = z.object({
  name: z.string(),
  image: text,
  ready: flag,
  restartCount: whole,
  state: fields({
    running: z.object({ startedAt: time }).optional().catch(undefined),
    waiting: z.object({ reason: text, message: text }).optional().catch(undefined),
    terminated: z
      .object({ reason: text, message: text, exitCode: whole, startedAt: time, finishedAt: time })
      .optional()
      .catch(undefined),
  }),
});

const podShape = fields({
  spec: fields({ nodeName: text, initContainers: listOf(containerSpec), containers: listOf(containerSpec) }),
  status: fields({
    phase: text,
    podIP: text,
    conditions: listOf(condition),
    initContainerStatuses: listOf(containerStatus),
    containerStatuses: listOf(containerStatus),
  }),
});

export interface ContainerReading {
  name: string;
  /** `sidecar`: an init container that stays (restartPolicy Always). */
  kind: 'init' | 'sidecar' | 'main';
  /** Image asked for, and image reported; the latter is absent until the node says one. */
  spec: string;
  status: string | undefined;
  ready: boolean | undefined;
  restarts: number | undefined;
  state: 'running' | 'waiting' | 'terminated' | undefined;
  reason: string | undefined;
  message: string | undefined;
  exitCode: number | undefined;
  /** Start of the state, epoch ms. */
  at: number | undefined;
}

export interface PodReading {
  uid: string;
  name: string;
  phase: string | undefined;
  node: string | undefined;
  ip: string | undefined;
  created: number | undefined;
  deleting: number | undefined;
  /** Condition Ready, and since when. */
  ready: boolean | undefined;
  conditions: ConditionReading[];
  /** Init containers first, in the Pod's order. */
  containers: ContainerReading[];
}

export function readPod(object: KubeObject): PodReading {
  const { spec, status } = podShape.parse(object);
  const ready = status.conditions.find((each) => each.type === 'Ready');
  const kindOf = (each: z.infer<typeof containerSpec>) => (each.restartPolicy === 'Always' ? 'sidecar' : 'init');
  return {
    uid: object.metadata.uid,
    name: object.metadata.name,
    phase: status.phase,
    node: spec.nodeName,
    ip: status.podIP,
    created: parseTime(object.metadata.creationTimestamp),
    deleting: parseTime(object.metadata.deletionTimestamp),
    ready: ready && ready.status === 'True',
    conditions: conditionsOf(status.conditions),
    containers: [
      ...spec.initContainers.map((each) => container(each, kindOf(each), status.initContainerStatuses)),
      ...spec.containers.map((each) => container(each, 'main', status.containerStatuses)),
    ],
  };
}

function container(
  spec: z.infer<typeof containerSpec>,
  kind: ContainerReading['kind'],
  statuses: z.infer<typeof containerStatus>[],
): ContainerReading {
  const status = statuses.find((each) => each.name === spec.name);
  const { running, waiting, terminated } = status?.state ?? {};
  const state = running ? 'running' : waiting ? 'waiting' : terminated ? 'terminated' : undefined;
  return {
    name: spec.name,
    kind,
    spec: spec.image,
    status: status?.image,
    ready: status?.ready,
    restarts: status?.restartCount,
    state,
    reason: waiting?.reason ?? terminated?.reason,
    message: waiting?.message ?? terminated?.message,
    exitCode: terminated?.exitCode,
    at: running?.startedAt ?? terminated?.finishedAt,
  };
}
