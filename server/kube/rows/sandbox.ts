import 'server-only';
import type { SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { causeOf, gateOf, messageOf } from '@/lib/domain/diagnosis/cause';
import { heldAt } from '@/lib/domain/diagnosis/gates';
import { type NextPod, nextPodFacts, podImages, templateInits } from '@/lib/domain/diagnosis/next-pod';
import { isAsleep, strands } from '@/lib/domain/diagnosis/predict';
import { conditionsOf, poolOf, readFacts } from '@/lib/domain/diagnosis/read-sandbox';
import { type NodeFact, type SandboxScene, sceneOf } from '@/lib/domain/diagnosis/scene';
import { conditionOf, isTrue, type PodDigest, type SandboxFacts } from '@/lib/domain/facts';
import { compact, flag, integer, metaOf, record, text } from '@/lib/domain/read';
import { templateRefOf } from '@/lib/domain/sandbox-asks';
import { type ObservedState, sinceOf, stageOf } from '@/lib/domain/sandbox-state';
import { parseTime } from '@/lib/domain/time';

const prefix = 'agents.kruise.io/';

/**
 * The row of a Sandbox. `pod` is the Pod of the same name, also one of an earlier owner; `observed` is when the
 * store first saw the sandbox in its present display state, used where no condition says it; `node` is the Pod's, `operation`
 * the one that its label names. `known` is what tells of its next Pod beside these: the init containers of the SandboxTemplate
 * that it refers to, null when there is none of that name, and the images of the last Pod that it had.
 * Undefined for what is no object with a name.
 */
export function projectSandbox(
  object: unknown,
  pod: PodDigest | undefined,
  observed?: ObservedState,
  node?: NodeFact,
  operation?: Pick<UpgradeRow, 'paused'>,
  known: { referenced?: NextPod['referenced'] | null; pod?: NextPod['pod'] } = {},
): SandboxRow | undefined {
  const meta = metaOf(object);
  const facts = readFacts(object);
  if (!meta || !facts) return undefined;
  const spec = record(record(object).spec);
  const status = record(record(object).status);
  const podInfo = record(status.podInfo);
  const scene: SandboxScene = sceneOf(facts, pod, node);
  if (operation?.paused) scene.operationPaused = true;
  const templateRef = templateRefOf(object);
  if (known.referenced === null && templateRef !== undefined) scene.templateMissing = templateRef;
  const { state } = scene;
  const since = sinceOf(facts, state, observed);
  const held = heldAt(scene);
  const cause = causeOf(scene, held);
  const ready = conditionOf(facts, 'Ready');
  const own = pod !== undefined && (pod.ownerUid === undefined || pod.ownerUid === meta.uid) ? pod : undefined;
  const next: NextPod = {
    own: templateInits(object),
    referenced: known.referenced ?? undefined,
    pod: own ? podImages(own) : known.pod,
  };
  const op = text(meta.labels[`${prefix}update-ops`]);
  return compact<SandboxRow>({
    uid: meta.uid,
    ns: meta.ns,
    name: meta.name,
    gen: facts.generation,
    obs: facts.observed,
    phase: facts.phase,
    state,
    stage: stageOf(facts),
    since: since.at,
    sinceFrom: since.from,
    pool: poolOf(object),
    idle: flag(facts.idle),
    claimed: flag(facts.claimed),
    reserved: flag(meta.labels[`${prefix}reserved-failed-sandbox`] === 'true'),
    // The owner annotation of a pool member is the marker of a scale-down, not a person.
    owner: facts.idle ? undefined : text(meta.annotations[`${prefix}owner`]),
    claimName: text(meta.labels[`${prefix}claim-name`]),
    claimedAt: facts.claimedAt,
    id: text(meta.labels[`${prefix}sandbox-id`]),
    node: own ? own.node : lastKnown(facts, status.nodeName, podInfo.nodeName),
    ip: own ? own.ip : lastKnown(facts, status.sandboxIp, podInfo.podIP),
    ready: ready && (ready.status === 'True' ? true : ready.status === 'False' ? false : undefined),
    hash: text(meta.labels[`${prefix}template-hash`]),
    shutdownAt: parseTime(spec.shutdownTime),
    pauseAt: parseTime(spec.pauseTime),
    paused: flag(facts.paused),
    restarts: own?.restarts || undefined,
    message: messageOf(scene, cause),
    cause,
    gate: gateOf(scene, held),
    ...nextPodFacts(next, isAsleep(scene), strands(scene)),
    op,
    upgraded: flag(op !== undefined && isTrue(conditionOf(facts, 'Upgrading'))),
    policy: text(record(spec.upgradePolicy).type),
    hooks: flag(Object.keys(record(spec.lifecycle)).length > 0),
    upFailed: flag(meta.labels[`${prefix}upgrade-failed`] === 'true'),
    locked: flag(facts.locked),
    created: facts.created,
    deleting: facts.deleting,
  });
}

/** Where an upgrade is: reason of the Upgrading condition, and its lastTransitionTime, which only a flip moves (domain 4.2). */
export interface UpgradeStep {
  reason: string;
  at?: number;
}

/**
 * Undefined outside of an upgrade, and while the controller has not looked at the latest spec: the condition is then of
 * an earlier upgrade (domain 6.2).
 */
export function upgradeStepOf(object: unknown): UpgradeStep | undefined {
  const meta = metaOf(object);
  const status = record(record(object).status);
  const upgrading = conditionsOf(status.conditions).Upgrading;
  if (!upgrading?.reason || meta?.generation !== integer(status.observedGeneration)) return undefined;
  if (text(status.phase) !== 'Upgrading' && !isTrue(upgrading)) return undefined;
  return compact<UpgradeStep>({ reason: upgrading.reason, at: upgrading.at });
}

/**
 * Without the Pod, what the status says of it. It keeps the old Pod's values through Paused, Resuming and
 * Upgrading (T29), so it speaks only for a sandbox that runs or has ended where it ran.
 */
function lastKnown(facts: SandboxFacts, ...values: unknown[]): string | undefined {
  if (facts.phase !== 'Running' && facts.phase !== 'Failed' && facts.phase !== 'Succeeded') return undefined;
  return values.map(text).find((value) => value !== undefined);
}
