'use client';

import { batchPlan } from '@/lib/domain/upgrades/batches';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { KeyValues } from '../../common';
import { atOnce } from './at-once';
import { argvOf, type HookDraft } from './draft';
import type { Planning } from './planning';

/** What was settled in the steps before, in one look. */
export function PlanSummary({ planning: { form, limit, preview } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.summary');
  const f = useFormats();
  const safety = useTranslations('upgrade-plan.safety');
  const total = preview.reply?.targets.length;
  const states = [form.running ? safety('running') : undefined, form.paused ? safety('paused') : undefined].filter(
    (state) => state !== undefined,
  );
  const guard = [
    form.guardFailures ? t('guardFailures', { count: Number(form.guardFailures) }) : undefined,
    form.guardRate ? t('guardRate', { percent: Number(form.guardRate) }) : undefined,
  ].filter((rule) => rule !== undefined);
  const hookText = (hook: HookDraft) =>
    hook.on
      ? `${argvOf(hook).join(' ')}${hook.timeout ? ` · ${t('timeout', { seconds: Number(hook.timeout) })}` : ''}`
      : undefined;
  return (
    <KeyValues
      items={[
        { label: t('targets'), value: preview.reply?.selector, mono: true },
        {
          label: t('change'),
          value: t(`changeBy.${form.changeBy}`, { name: form.restore?.operation.name ?? '' }),
        },
        { label: t('strategy'), value: form.strategy },
        {
          label: 'maxUnavailable',
          value:
            limit === undefined || total === undefined
              ? form.maxUnavailable
              : t('limit', {
                  value: String(limit),
                  limit: atOnce(limit, total),
                  batches: batchPlan(limit, total).batches,
                  total,
                }),
        },
        { label: t('states'), value: f.list(states) },
        { label: 'preUpgrade', value: hookText(form.preUpgrade), mono: true },
        { label: 'postUpgrade', value: hookText(form.postUpgrade), mono: true },
        { label: t('guard'), value: guard.length > 0 ? f.list(guard) : t('guardOff') },
        ...(form.startPaused ? [{ label: t('start'), value: t('startPaused') }] : []),
      ]}
    />
  );
}
