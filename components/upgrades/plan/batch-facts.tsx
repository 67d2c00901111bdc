'use client';

import { batchPlan } from '@/lib/domain/upgrades/batches';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Lines } from '../../pools/writes/lines';
import { Note } from '../../ui';
import { atOnce } from './at-once';
import type { Planning } from './planning';

/** What maxUnavailable comes to for the sandboxes that are taken now. */
export function BatchFacts({ planning }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.safety');
  const change = useTranslations('upgrade-plan.change');
  const f = useFormats();
  const { form, limit: written, preview } = planning;
  const targets = preview.reply?.targets;
  if (!targets || targets.length === 0)
    return <p className="mut">{preview.error ? change('notKnownNow') : t('noTargets')}</p>;
  if (written === undefined) return <p className="mut">{t('noLimit')}</p>;
  const { limit, batches, stopsAfter } = batchPlan(written, targets.length);
  const guardFailures = Number(form.guardFailures);
  const pausedOnes = targets.filter(({ phase }) => phase === 'Paused').length;
  return (
    <>
      <div>
        <h2 className="plan-h">{t('batches')}</h2>
        <Lines
          items={[
            { label: t('total'), value: f.number(targets.length) },
            {
              label: t('atOnce'),
              value: t.rich('atOnceOf', {
                limit: f.number(atOnce(written, targets.length)),
                written: String(written),
                dim: (chunk) => <span className="dim">{chunk}</span>,
              }),
            },
            { label: t('batchCount'), value: f.number(batches) },
            ...(pausedOnes > 0 ? [{ label: t('pausedOnes'), value: f.number(pausedOnes) }] : []),
          ]}
        />
      </div>
      {targets.length > limit ? (
        <Note tone="attention" title={t('stopsAfter', { count: stopsAfter })}>
          <p>
            {form.guardFailures || form.guardRate ? t('stopsAfterGuarded') : t('stopsAfterText', { count: stopsAfter })}
          </p>
        </Note>
      ) : (
        <Note tone="attention" title={t('allAtOnce')}>
          <p>{t('allAtOnceText')}</p>
        </Note>
      )}
      {guardFailures >= stopsAfter && targets.length > limit ? (
        <Note tone="attention" title={t('guardTooLate', { count: stopsAfter })} />
      ) : null}
      {pausedOnes > 0 ? <p className="mut">{t('pausedText')}</p> : null}
    </>
  );
}
