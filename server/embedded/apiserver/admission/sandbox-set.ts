import { type Cause, invalidValue, required } from '../core/causes';
import { at, fieldsOf, type KubeObject, listOf } from '../core/objects';
import { deniedByWebhook } from '../core/status';
import { validateTemplate } from '../kinds/pods/template';

/** Refuses with the causes in one line, as the webhooks do. */
export function refuse(webhook: string, causes: readonly Cause[]): void {
  if (causes.length === 0) return;
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  throw deniedByWebhook(webhook, texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
}

/** An integer (negative ones too) or a percentage (over 100 too); anything else is refused. */
export function validateBudget(object: KubeObject, strategy: string, causes: Cause[]): void {
  const value = at(object, ['spec', strategy, 'maxUnavailable']);
  if (typeof value !== 'string' || /^-?\d+%$/.test(value)) return;
  causes.push(invalidValue(`spec.${strategy}.maxUnavailable`, value, 'maxUnavailable is invalid'));
}

/** `v-sbs.kb.io`. A pool without template and templateRef passes. */
export function validateSandboxSet(object: KubeObject): void {
  const causes: Cause[] = [];
  const spec = fieldsOf(object, 'spec');
  if (spec.templateRef !== undefined && spec.template !== undefined) {
    causes.push(invalidValue('spec.templateRef', spec.templateRef, 'templateRef and podtemplate is mutual exclusive'));
  }
  if (spec.template !== undefined) validateTemplate(spec.template, listOf(spec, 'volumeClaimTemplates'), causes);
  validateBudget(object, 'scaleStrategy', causes);
  validateBudget(object, 'updateStrategy', causes);
  refuse('v-sbs.kb.io', causes);
}

/** `v-sbt.kb.io`, on create only. */
export function validateSandboxTemplate(object: KubeObject): void {
  const causes: Cause[] = [];
  const { template, volumeClaimTemplates } = fieldsOf(object, 'spec');
  if (template === undefined) causes.push(required('spec.template'));
  else validateTemplate(template, Array.isArray(volumeClaimTemplates) ? volumeClaimTemplates : [], causes);
  refuse('v-sbt.kb.io', causes);
}
