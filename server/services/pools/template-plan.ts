import 'server-only';
import type { z } from 'zod';
import type { fieldReason } from '@/lib/contracts/problem';
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
import type { ObjectName } from '../gate';
import { englishField, ok, type Result, refuse } from '../result';
import { writerOf } from '../writer';
import { type ChangeSummary, summarize } from './change-summary';
import type { LivePool } from './gate';
import { pointedAt, unmask } from './masked';

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
    const field = `spec.${list}[${error.container}]`;
    return refuse(
      'validation',
      'noSuchContainer',
      { container: error.container, list: `spec.${list}` },
      { applied: 'no', fields: [ownWords(field, 'notInTemplate')] },
    );
  }
  if (error instanceof MaskedValueError) {
    return refuse(
      'validation',
      'maskedValue',
      { field: error.path },
      { applied: 'no', fields: [ownWords(error.path, 'maskedValue')] },
    );
  }
  throw error;
}

const ownWords = (field: string, reason: z.infer<typeof fieldReason>) => ({
  field,
  message: englishField(reason),
  reason,
});

/** The operations for the pool as it is now; [] when it already is as asked. */
export function planPatch(pool: ObjectName, live: LivePool, input: PatchPoolTemplateRequest): Result<JsonPatchOp[]> {
  const { template, templateRef } = live.spec;
  if (!template) {
    const of = { pool: pool.name };
    return templateRef
      ? refuse('precondition_failed', 'templateReferenced', { ...of, template: templateRef.name }, { applied: 'no' })
      : refuse('precondition_failed', 'noTemplate', of, { applied: 'no' });
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

function movedOn(pool: ObjectName, live: LivePool, before: Template, template: Template): Result<never> {
  const fields = templateDiff(redactObject(before), redactObject(template))
    .slice(0, 20)
    .map((d) => ('after' in d ? { field: d.path, message: shortJson(d.after) } : ownWords(d.path, 'removed')));
  const writer = writerOf(live.metadata.managedFields, ['spec', 'template']);
  const what = fields.map((f) => f.field).join(', ');
  return refuse('conflict', 'templateChanged', { pool: pool.name, fields: what, ...writer }, { applied: 'no', fields });
}

function shortJson(value: unknown): string {
  const text = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
