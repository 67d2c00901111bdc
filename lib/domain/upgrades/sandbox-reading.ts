import { z } from 'zod';
import { fields, flag, listOf, text, whole } from '../lenient-shapes';
import { parseTime } from '../time';

const condition = z.object({ type: z.string(), status: z.string(), reason: text });
const textMap = z.record(z.string(), z.string()).catch({});
const json = z.record(z.string(), z.unknown()).optional().catch(undefined);

const sandboxShape = fields({
  metadata: fields({
    name: text,
    uid: text,
    generation: whole,
    deletionTimestamp: text,
    labels: textMap,
    annotations: textMap,
    ownerReferences: listOf(z.object({ kind: z.string(), apiVersion: z.string(), controller: flag })),
  }),
  spec: fields({
    paused: flag,
    template: json,
    templateRef: json,
    lifecycle: json,
    upgradePolicy: fields({ type: text }),
    runtimes: listOf(z.object({ name: z.string() })),
    volumeClaimTemplates: listOf(z.object({ metadata: z.object({ name: z.string() }) })),
    shutdownTime: z.unknown().optional().transform(parseTime),
  }),
  status: fields({
    phase: text,
    observedGeneration: whole,
    nodeName: text,
    conditions: listOf(condition),
  }),
});

/** What an upgrade reads of a whole Sandbox. */
export interface SandboxReading {
  uid: string;
  name: string;
  labels: Readonly<Record<string, string>>;
  /** status.phase; '' when there is none. */
  phase: string;
  terminating: boolean;
  /** Controlled by a SandboxSet: an idle member of its pool. */
  poolMember: boolean;
  claimed: boolean;
  /** status.observedGeneration is metadata.generation. */
  observed: boolean;
  /** spec.paused */
  paused: boolean;
  /** Condition SandboxPaused is True: its Pod is gone. */
  pausedForGood: boolean;
  /** The Upgrading condition: of this upgrade, or of one before. */
  upgrading?: { done: boolean; reason?: string };
  template?: Record<string, unknown>;
  /** Names in spec.volumeClaimTemplates: volumes of its Pod besides those of the template. */
  claims: string[];
  /** spec.templateRef is set. */
  byReference: boolean;
  lifecycle?: Record<string, unknown>;
  /** spec.upgradePolicy.type */
  policy?: string;
  /**
   * Something of it names the agent runtime that runs hooks (T46). The controller looks at none of that: it asks the address
   * of the Pod, so one without may have a runtime in its image all the same.
   */
  runtime: boolean;
  /** Label agents.kruise.io/update-ops. */
  operation?: string;
  owner?: string;
  node?: string;
  /** spec.shutdownTime, epoch ms. */
  shutdownAt?: number;
}

const prefix = 'agents.kruise.io/';
const failures = ['PreUpgradeFailed', 'UpgradePodFailed', 'PostUpgradeFailed', 'CheckpointFailed'];

/** Undefined for what is no object with a name and a uid. */
export function readSandbox(object: unknown): SandboxReading | undefined {
  const { metadata, spec, status } = sandboxShape.parse(object);
  if (metadata.uid === undefined || metadata.name === undefined) return undefined;
  const conditionOf = (type: string) => status.conditions.find((each) => each.type === type);
  const upgrading = conditionOf('Upgrading');
  const reading: SandboxReading = {
    uid: metadata.uid,
    name: metadata.name,
    labels: metadata.labels,
    phase: status.phase ?? '',
    terminating: metadata.deletionTimestamp !== undefined,
    poolMember: metadata.ownerReferences.some(
      ({ kind, apiVersion, controller }) =>
        controller === true && kind === 'SandboxSet' && apiVersion.startsWith(prefix),
    ),
    claimed: metadata.labels[`${prefix}sandbox-claimed`] === 'true',
    observed: metadata.generation === status.observedGeneration,
    paused: spec.paused === true,
    pausedForGood: conditionOf('SandboxPaused')?.status === 'True',
    claims: spec.volumeClaimTemplates.map((claim) => claim.metadata.name),
    byReference: spec.templateRef !== undefined,
    runtime:
      spec.runtimes.some(({ name }) => name === 'agent-runtime') ||
      hasRuntimeContainer(spec.template) ||
      runtimeUrls.some((key) => metadata.annotations[key] !== undefined),
  };
  if (upgrading) {
    reading.upgrading = { done: upgrading.status === 'True' };
    if (upgrading.reason !== undefined) reading.upgrading.reason = upgrading.reason;
  }
  const optional = {
    template: spec.template,
    lifecycle: spec.lifecycle,
    policy: spec.upgradePolicy.type,
    operation: metadata.labels[`${prefix}update-ops`] || undefined,
    owner: metadata.annotations[`${prefix}owner`] || undefined,
    node: status.nodeName,
    shutdownAt: spec.shutdownTime,
  };
  return {
    ...reading,
    ...(Object.fromEntries(Object.entries(optional).filter(([, v]) => v !== undefined)) as Partial<SandboxReading>),
  };
}

/** Failed in the upgrade it is in, as the controller counts it. */
export function hasFailed({ phase, upgrading }: SandboxReading): boolean {
  return phase === 'Upgrading' && upgrading?.done === false && failures.includes(upgrading.reason ?? '');
}

/** As it is injected, and as templates name their own (domain 4.10). */
const runtimeNames = ['agent-runtime', 'runtime'];
/** Where hooks are sent to instead of the address of the Pod (domain 12). */
const runtimeUrls = [`${prefix}runtime-url`, 'e2b.agents.kruise.io/envd-url'];

const templateShape = fields({ spec: fields({ initContainers: listOf(z.object({ name: z.string() })) }) });

const hasRuntimeContainer = (template: unknown): boolean =>
  templateShape.parse(template).spec.initContainers.some(({ name }) => runtimeNames.includes(name));
