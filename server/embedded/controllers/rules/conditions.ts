import type { Condition } from '../client/objects';

const longest = 1024;

/** Whole seconds, as metav1.Time is written. */
export const timestamp = (ms = Date.now()): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** A condition message holds 1024 characters; the rest becomes dots. */
export const cutMessage = (message: string): string =>
  message.length <= longest ? message : `${message.slice(0, longest)}...`;

export const findCondition = (conditions: Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

/**
 * The controller's generic setter: the same status, reason and message change nothing, and lastTransitionTime moves only when
 * the status does. A given `at` (a Pod condition's time) is taken over with the status.
 */
export function setCondition(
  conditions: Condition[],
  type: string,
  status: 'True' | 'False',
  reason: string,
  message = '',
  at?: string,
): Condition[] {
  const text = cutMessage(message);
  const old = findCondition(conditions, type);
  if (old?.status === status && old.reason === reason && (old.message ?? '') === text) return conditions;
  const time = old?.status === status ? (old.lastTransitionTime ?? timestamp()) : (at ?? timestamp());
  const next: Condition = { type, status, reason, message: text, lastTransitionTime: time };
  return old === undefined ? [...conditions, next] : conditions.map((one) => (one.type === type ? next : one));
}

export const dropCondition = (conditions: Condition[], type: string): Condition[] =>
  conditions.filter((condition) => condition.type !== type);
