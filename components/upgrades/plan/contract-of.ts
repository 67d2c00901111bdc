import type { z } from 'zod';
import type { UpgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import {
  guardLimits,
  type UpgradeChange,
  type UpgradeDraft,
  type UpgradeHook,
  type UpgradeTargets,
  upgradeDraft,
  upgradeHook,
} from '@/lib/contracts/upgrades';
import { parsePatchYaml } from '@/lib/domain/upgrades/patch-yaml';
import { argvOf, type HookDraft, type LabelRow, type PlanDraft } from './draft';
import { rowFault, selectorOfRows } from './label-selector';

export const planSteps = ['targets', 'change', 'safety', 'review'] as const;
export type PlanStep = (typeof planSteps)[number];

/** What is not right yet, by the field it stands at; the sentences are the messages `upgrade-plan.fault`. */
export const faultCodes = [
  'namespace',
  'pool',
  'noLabel',
  'labelEmpty',
  'labelKey',
  'labelValues',
  'labelValue',
  'selection',
  'states',
  'patchText',
  'noPatch',
  'noRestore',
  'noHook',
  'maxUnavailable',
  'preCommand',
  'preTimeout',
  'postCommand',
  'postTimeout',
  'guardFailures',
  'guardRate',
  'nameEmpty',
  'name',
] as const;
export type FaultCode = (typeof faultCodes)[number];
export type Fault = {
  code: FaultCode;
  step: PlanStep;
  /** Which label row, from 0. */
  row?: number;
};

export type Plan = {
  faults: Fault[];
  /** The patch that the text stands for; undefined while it is no patch. */
  patch: Record<string, unknown> | undefined;
  /** Enough to ask what it would do; what is not right yet is left out. Undefined without targets. */
  preview: UpgradePreviewRequest | undefined;
  /** The whole operation, when nothing is wrong with it. */
  draft: UpgradeDraft | undefined;
};

/** What the form's fields come to. */
export function contractOf(form: PlanDraft): Plan {
  const faults: Fault[] = [];
  const targets = targetsOf(form, (code, row) =>
    faults.push({ code, step: 'targets', ...(row === undefined ? {} : { row }) }),
  );
  const states = [form.running ? ['Running' as const] : [], form.paused ? ['Paused' as const] : []].flat();
  if (states.length === 0) faults.push({ code: 'states', step: 'safety' });
  const { patch, change } = changeOf(form, (code) => faults.push({ code, step: 'change' }));
  const safety = safetyOf(form, (code) => faults.push({ code, step: 'safety' }));
  const name = upgradeDraft.shape.name.safeParse(form.name);
  if (!name.success) faults.push({ code: form.name === '' ? 'nameEmpty' : 'name', step: 'review' });
  const preview: UpgradePreviewRequest | undefined =
    targets && states.length > 0
      ? {
          namespace: form.namespace,
          targets,
          states,
          strategy: form.strategy,
          paused: form.startPaused,
          ...(name.success ? { name: name.data } : {}),
          ...(change ? { change } : {}),
          ...safety,
        }
      : undefined;
  const complete = faults.length === 0 ? upgradeDraft.safeParse(preview) : undefined;
  return { faults, patch, preview, draft: complete?.data };
}

function targetsOf(form: PlanDraft, fault: (code: FaultCode, row?: number) => void): UpgradeTargets | undefined {
  if (form.namespace === '') fault('namespace');
  if (form.targetsBy === 'pool') {
    if (form.pool === '') fault('pool');
    return form.namespace && form.pool ? { by: 'pool', pool: form.pool } : undefined;
  }
  if (form.targetsBy === 'selection') {
    if (form.sandboxes.length === 0) fault('selection');
    return form.namespace && form.sandboxes.length > 0 ? { by: 'selection', sandboxes: form.sandboxes } : undefined;
  }
  const [first, ...others] = form.labels;
  if (!first || (others.length === 0 && isBlank(first) && first.operator === 'In')) {
    fault('noLabel');
    return undefined;
  }
  // A row that is not finished must not be passed over: without it, more would be taken than was meant.
  const codes = form.labels.map((row) => (isBlank(row) && others.length > 0 ? 'labelEmpty' : rowFault(row)));
  for (const [index, code] of codes.entries()) if (code) fault(code, index);
  const selector = codes.some((code) => code !== undefined) ? undefined : selectorOfRows(form.labels);
  return selector && form.namespace ? { by: 'labels', selector } : undefined;
}

const isBlank = ({ key, values }: LabelRow): boolean => (key + values).trim() === '';

function changeOf(
  form: PlanDraft,
  fault: (code: FaultCode) => void,
): { patch: Record<string, unknown> | undefined; change: UpgradeChange | undefined } {
  if (form.changeBy === 'none') {
    if (!form.preUpgrade.on && !form.postUpgrade.on) fault('noHook');
    return { patch: undefined, change: { by: 'none' } };
  }
  if (form.changeBy === 'restore') {
    if (!form.restore) fault('noRestore');
    return { patch: undefined, change: form.restore && { by: 'restore', ...form.restore } };
  }
  if (form.patch.trim() === '') {
    fault('noPatch');
    return { patch: {}, change: undefined };
  }
  const read = parsePatchYaml(form.patch);
  if ('problems' in read) {
    fault('patchText');
    return { patch: undefined, change: undefined };
  }
  if (Object.keys(read.patch).length === 0) {
    fault('noPatch');
    return { patch: {}, change: undefined };
  }
  return { patch: read.patch, change: { by: 'patch', patch: read.patch } };
}

type Safety = Pick<UpgradePreviewRequest, 'maxUnavailable' | 'preUpgrade' | 'postUpgrade' | 'guard'>;

function safetyOf(form: PlanDraft, fault: (code: FaultCode) => void): Safety {
  const limit = upgradeDraft.shape.maxUnavailable.safeParse(
    numberOf(form.maxUnavailable) ?? form.maxUnavailable.trim(),
  );
  if (!limit.success) fault('maxUnavailable');
  const preUpgrade = hookOf(form.preUpgrade, 'pre', fault);
  const postUpgrade = hookOf(form.postUpgrade, 'post', fault);
  const guard = guardOf(form, fault);
  return {
    ...(limit.success ? { maxUnavailable: limit.data } : {}),
    ...(preUpgrade ? { preUpgrade } : {}),
    ...(postUpgrade ? { postUpgrade } : {}),
    ...(guard ? { guard } : {}),
  };
}

const numberOf = (typed: string) => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : undefined);

function hookOf(hook: HookDraft, which: 'pre' | 'post', fault: (code: FaultCode) => void): UpgradeHook | undefined {
  if (!hook.on) return undefined;
  const command = argvOf(hook);
  if (command.length === 0) fault(`${which}Command`);
  const typed = hook.timeout.trim() === '' ? undefined : (numberOf(hook.timeout) ?? Number.NaN);
  const timeout = upgradeHook.shape.timeoutSeconds.safeParse(typed);
  if (!timeout.success) fault(`${which}Timeout`);
  const timeoutSeconds = timeout.data;
  return upgradeHook.safeParse({ command, ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) }).data;
}

function guardOf(form: PlanDraft, fault: (code: FaultCode) => void) {
  const { failures, ratePercent } = guardLimits.shape;
  const number = (typed: string, schema: z.ZodType<number | undefined>, code: FaultCode) => {
    if (typed.trim() === '') return undefined;
    const read = schema.safeParse(numberOf(typed) ?? Number.NaN);
    if (!read.success) fault(code);
    return read.data;
  };
  const limits = {
    failures: number(form.guardFailures, failures, 'guardFailures'),
    ratePercent: number(form.guardRate, ratePercent, 'guardRate'),
  };
  return guardLimits.safeParse(limits).data;
}
