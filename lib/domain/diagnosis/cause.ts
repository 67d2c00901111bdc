import { type Cause, type CauseCode, causeCodes, type DisplayState } from '@/lib/contracts/rows';
import { conditionOf, isTrue } from '../facts';
import { evidence } from '../text';
import { type GateCode, type Held, heldAt } from './gates';
import type { SandboxScene } from './scene';

const ofRows: ReadonlySet<string> = new Set(causeCodes);

const isCauseCode = (code: string): code is CauseCode => ofRows.has(code);

/**
 * The cause of a row: the first gate that is not passed, in the controller's own order, or undefined when nothing
 * holds the sandbox up. Facts only: whether it is late is decided elsewhere, with a clock.
 */
export function causeOf(scene: SandboxScene, held: Held | undefined = heldAt(scene)): Cause | undefined {
  const rule = held?.rule;
  if (!rule || !isCauseCode(rule.code)) return undefined;
  const found: Cause = { code: rule.code };
  const detail = evidence(rule.detail?.(scene));
  if (detail !== undefined) found.detail = detail;
  const image = rule.image?.(scene);
  if (image) found.image = image;
  if (rule.never?.(scene)) found.never = true;
  return found;
}

/** States that the controller leaves by itself once its gates are passed. */
const onTheirWay: ReadonlySet<DisplayState> = new Set([
  'Creating',
  'NotReady',
  'Initialising',
  'Pausing',
  'Resuming',
  'Upgrading',
  'Recycling',
  'Terminating',
]);

/** Code of the gate that a sandbox on its way waits at. */
export function gateOf({ state }: SandboxScene, held: Held | undefined): GateCode | undefined {
  return onTheirWay.has(state) ? held?.gate.code : undefined;
}

/**
 * What the cluster says where the cause has no words of its own: the end of a sandbox, a pause that stalls,
 * the condition that drives a phase. A PodCreateFailed that is over stays in Ready until the next flip, so a
 * sandbox in creation has no message.
 */
export function messageOf({ facts, state }: SandboxScene, found: Cause | undefined): string | undefined {
  if (found?.detail !== undefined) return undefined;
  if (state === 'Failed' || state === 'Succeeded') return evidence(facts.message);
  const type = drivingCondition[state];
  const condition = type === undefined ? undefined : conditionOf(facts, type);
  return condition && !isTrue(condition) ? evidence(condition.message) : undefined;
}

const drivingCondition: Partial<Record<DisplayState, string>> = {
  NotReady: 'Ready',
  Initialising: 'RuntimeInitialized',
  Pausing: 'SandboxPaused',
  Resuming: 'SandboxResumed',
  Upgrading: 'Upgrading',
  Recycling: 'Recycling',
};
