import 'server-only';
import type { SandboxRow } from '@/lib/contracts/rows';
import { causeOf, messageOf } from '@/lib/domain/diagnose';
import { type ConditionFact, conditionOf, isTrue, type PodDigest, type SandboxFacts } from '@/lib/domain/facts';
import { displayStateOf, type ObservedState, sinceOf, stageOf } from '@/lib/domain/sandbox-state';
import { parseTime } from '@/lib/domain/time';
import { compact, controllerOf, flag, integer, type Json, list, type Meta, metaOf, record, text } from './read';

const prefix = 'agents.kruise.io/';

/**
 * The row of a Sandbox. `pod` is the Pod of the same name, also one of an earlier owner; `observed` is when the
 * store first saw the sandbox in its present display state, used where no condition says it.
 * Undefined for what is no object with a name.
 */
export function projectSandbox(
  object: unknown,
  pod: PodDigest | undefined,
  observed?: ObservedState,
): SandboxRow | undefined {
  const meta = metaOf(object);
  if (!meta) return undefined;
  const spec = record(record(object).spec);
  const status = record(record(object).status);
  const podInfo = record(status.podInfo);
  const owner = controllerOf(object);
  const pool = owner?.kind === 'SandboxSet' && owner.group === 'agents.kruise.io' ? owner.name : undefined;
  const facts = factsOf(meta, object, spec, status, pool !== undefined);

  const state = displayStateOf(facts);
  const since = sinceOf(facts, state, observed);
  const cause = causeOf(facts, pod);
  const ready = conditionOf(facts, 'Ready');
  const own = pod !== undefined && (pod.ownerUid === undefined || pod.ownerUid === meta.uid) ? pod : undefined;
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
    pool: text(meta.labels[`${prefix}sandbox-pool`]) ?? pool,
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
    message: messageOf(facts, cause),
    cause,
    op,
    upgraded: flag(op !== undefined && isTrue(conditionOf(facts, 'Upgrading'))),
    locked: flag(facts.locked),
    created: facts.created,
    deleting: facts.deleting,
  });
}

/**
 * Without the Pod, what the status says of it. It keeps the old Pod's values through Paused, Resuming and
 * Upgrading (T29), so it speaks only for a sandbox that runs or has ended where it ran.
 */
function lastKnown(facts: SandboxFacts, ...values: unknown[]): string | undefined {
  if (facts.phase !== 'Running' && facts.phase !== 'Failed' && facts.phase !== 'Succeeded') return undefined;
  return values.map(text).find((value) => value !== undefined);
}

function factsOf(meta: Meta, object: unknown, spec: Json, status: Json, idle: boolean): SandboxFacts {
  return compact<SandboxFacts>({
    uid: meta.uid,
    phase: text(status.phase) ?? '',
    paused: spec.paused === true,
    idle,
    claimed: meta.labels[`${prefix}sandbox-claimed`] === 'true',
    locked: text(meta.annotations[`${prefix}lock`]) !== undefined,
    generation: meta.generation,
    observed: integer(status.observedGeneration),
    created: meta.created,
    deleting: meta.deleting,
    claimedAt: parseTime(meta.annotations[`${prefix}claim-timestamp`]),
    finalizers: list(record(record(object).metadata).finalizers).filter((name) => typeof name === 'string'),
    message: text(status.message),
    conditions: conditionsOf(status.conditions),
  });
}

function conditionsOf(value: unknown): Record<string, ConditionFact> {
  const conditions: Record<string, ConditionFact> = {};
  for (const entry of list(value)) {
    const condition = record(entry);
    const type = text(condition.type);
    const status = text(condition.status);
    if (type === undefined || status === undefined) continue;
    conditions[type] = compact<ConditionFact>({
      status,
      reason: text(condition.reason),
      message: text(condition.message),
      at: parseTime(condition.lastTransitionTime),
    });
  }
  return conditions;
}
