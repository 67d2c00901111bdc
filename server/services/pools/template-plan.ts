import 'server-only';
import type { JsonPatchOp, PatchPoolTemplateRequest } from '@/lib/contracts/writes';
import { isObject, sameJson } from '@/lib/domain/json-diff';
import { redactObject } from '@/lib/domain/redact';
import {
  buildTemplatePatch,
  MaskedValueError,
  NoSuchContainerError,
  type Template,
  templateAfter,
  templateDiff,
} from '@/lib/domain/templates';
import { ok, type Result, refuse } from '../result';
import { type ChangeSummary, summarize } from './change-summary';
import type { LivePool, PoolName } from './gate';
import { pointedAt, unmask } from './masked';
import { writerOf } from './writer';

/** The change in words for the log; a change that names no container of the template goes no further. */
export function describeChange(input: PatchPoolTemplateRequest): Result<ChangeSummary> {
  try {
    return ok(summarize(templateDiff(input.before, templateAfter(input.before, input.change))));
  } catch (error) {
    return unusable(error);
  }
}

function unusable(error: unknown): Result<never> {
  if (error instanceof NoSuchContainerError) {
    const list = error.init ? 'initContainers' : 'containers';
    return refuse('validation', `The template has no container ${error.container} in spec.${list}`, {
      applied: 'no',
      fields: [{ field: `spec.${list}[${error.container}]`, message: 'not in the template' }],
    });
  }
  if (error instanceof MaskedValueError) {
    return refuse('validation', `${error.path} holds ••• instead of a value: type the value, or leave it as it was`, {
      applied: 'no',
      fields: [{ field: error.path, message: 'a masked value cannot be written' }],
    });
  }
  throw error;
}

/** The operations for the pool as it is now; [] when it already is as asked. */
export function planPatch(pool: PoolName, live: LivePool, input: PatchPoolTemplateRequest): Result<JsonPatchOp[]> {
  const { template, templateRef } = live.spec;
  if (!template) {
    const why = templateRef
      ? `takes its template from SandboxTemplate ${templateRef.name}: change that one, or the reference. A template beside a templateRef would be refused`
      : 'has no template to change';
    return refuse('precondition_failed', `Pool ${pool.name} ${why}`, { applied: 'no' });
  }
  const before: Template = unmask(input.before, template);
  const change =
    input.change.by === 'yaml' ? { ...input.change, template: unmask(input.change.template, template) } : input.change;
  try {
    const ops = buildTemplatePatch(before, change);
    if (ops.length === 0 || sameJson(templateAfter(before, change), template)) return ok([]);
    const held = ops.every((op) => op.op !== 'test' || sameJson(pointedAt(live, op.path), op.value));
    if (!held) return movedOn(pool, live, before, template);
    return ok([{ op: 'test', path: '/metadata/uid', value: input.uid }, ...ops]);
  } catch (error) {
    return unusable(error);
  }
}

function movedOn(pool: PoolName, live: LivePool, before: Template, template: Template): Result<never> {
  const fields = templateDiff(redactObject(before), redactObject(template))
    .slice(0, 20)
    .map((d) => ({ field: d.path, message: 'after' in d ? shortJson(d.after) : 'is gone' }));
  const by = writerOf(live.metadata.managedFields, ['spec', 'template']);
  const what = fields.map((f) => f.field).join(', ');
  return refuse('conflict', `The template of pool ${pool.name} is not the one you saw: ${what} changed${by}`, {
    applied: 'no',
    fields,
  });
}

function shortJson(value: unknown): string {
  const text = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
