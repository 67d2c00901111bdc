import { type Cause, forbidden, invalidValue } from '../../core/causes';
import { deepEqual, type Fields, fieldsOf, type KubeObject, listOf, numberOf, textOf } from '../../core/objects';
import { validatePodSpec } from './template';

const MOST_SECONDS = 2 ** 31 - 1;

/**
 * What of a pod may still change: its images, a deadline that comes earlier, further tolerations, and gates that are taken
 * away. A node is given by binding alone. (validation of kube-apiserver 1.35)
 */
export function validatePodUpdate(object: KubeObject, old: KubeObject, causes: Cause[]): void {
  const spec = fieldsOf(object, 'spec');
  const before = fieldsOf(old, 'spec');
  validatePodSpec(spec, 'spec', [], causes);
  const other = (['containers', 'initContainers'] as const).find(
    (list) => listOf(spec, list).length !== listOf(before, list).length,
  );
  if (other !== undefined) {
    causes.push(forbidden(`spec.${other}`, 'pod updates may not add or remove containers'));
    return;
  }
  if (!validateDeadline(spec, before, causes)) return;
  validateGates(spec, before, causes);
  if (deepEqual(fixed(spec, before), fixed(before, before)) || causes.length > 0) return;
  const fields =
    '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
  causes.push(forbidden('spec', `pod updates may not change fields other than ${fields}\n`));
}

/** Whether the rest is worth looking at. */
function validateDeadline(spec: Fields, before: Fields, causes: Cause[]): boolean {
  const field = 'spec.activeDeadlineSeconds';
  const now = numberOf(spec, 'activeDeadlineSeconds');
  const then = numberOf(before, 'activeDeadlineSeconds');
  if (now === undefined) {
    if (then === undefined) return true;
    causes.push(invalidValue(field, null, 'must not update from a positive integer to nil value'));
    return false;
  }
  const within = (least: number) => `must be between ${least} and ${MOST_SECONDS}, inclusive`;
  // The spec's own rule, then that of updates.
  if (now < 1 || now > MOST_SECONDS) causes.push(invalidValue(field, now, within(1)));
  if (now < 0 || now > MOST_SECONDS) causes.push(invalidValue(field, now, within(0)));
  else if (then === undefined || now <= then) return true;
  else causes.push(invalidValue(field, now, 'must be less than or equal to previous value'));
  return false;
}

function validateGates(spec: Fields, before: Fields, causes: Cause[]): void {
  const known = listOf(before, 'schedulingGates').map((gate) => textOf(gate, 'name'));
  for (const [index, gate] of listOf(spec, 'schedulingGates').entries()) {
    const name = textOf(gate, 'name');
    if (known.includes(name)) continue;
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    causes.push(forbidden(`spec.schedulingGates[${index}].name`, why));
  }
}

/** What must be as it was. A time to stop that made no sense may become a second. */
function fixed(spec: Fields, before: Fields): Fields {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec;
  const withoutImages = (list: string) =>
    listOf(spec, list).map((item) => ({ ...fieldsOf({ item }, 'item'), image: '' }));
  const grace = numberOf(spec, 'terminationGracePeriodSeconds');
  const mended = (numberOf(before, 'terminationGracePeriodSeconds') ?? 0) < 0 && grace === 1;
  return {
    ...rest,
    containers: withoutImages('containers'),
    initContainers: withoutImages('initContainers'),
    terminationGracePeriodSeconds: mended ? numberOf(before, 'terminationGracePeriodSeconds') : grace,
  };
}
