import type { ConditionFact, SandboxFacts } from '../facts';
import { compact, controllerOf, flag, integer, list, metaOf, record, text } from '../read';
import { parseTime } from '../time';

const prefix = 'agents.kruise.io/';

/** Name of the SandboxSet that controls the object: an idle member of it. */
export function poolThatControls(object: unknown): string | undefined {
  const owner = controllerOf(object);
  return owner?.kind === 'SandboxSet' && owner.group === 'agents.kruise.io' ? owner.name : undefined;
}

/** Name of the pool that a Sandbox belongs to or came from. */
export const poolOf = (object: unknown): string | undefined =>
  text(metaOf(object)?.labels[`${prefix}sandbox-pool`]) ?? poolThatControls(object);

/** What the rules read of a Sandbox; undefined for what has no name. */
export function readFacts(object: unknown): SandboxFacts | undefined {
  const meta = metaOf(object);
  if (!meta) return undefined;
  const spec = record(record(object).spec);
  const status = record(record(object).status);
  return compact<SandboxFacts>({
    uid: meta.uid,
    phase: text(status.phase) ?? '',
    paused: spec.paused === true,
    idle: poolThatControls(object) !== undefined,
    claimed: meta.labels[`${prefix}sandbox-claimed`] === 'true',
    locked: text(meta.annotations[`${prefix}lock`]) !== undefined,
    generation: meta.generation,
    observed: integer(status.observedGeneration),
    created: meta.created,
    deleting: meta.deleting,
    claimedAt: parseTime(meta.annotations[`${prefix}claim-timestamp`]),
    finalizers: list(record(record(object).metadata).finalizers).filter((name) => typeof name === 'string'),
    noTemplate: flag((spec.template ?? spec.templateRef ?? undefined) === undefined),
    message: text(status.message),
    conditions: conditionsOf(status.conditions),
  });
}

/** By type; one without a type or a status is left out. */
export function conditionsOf(value: unknown): Record<string, ConditionFact> {
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
