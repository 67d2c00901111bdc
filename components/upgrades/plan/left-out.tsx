'use client';

import { useMemo } from 'react';
import { type LeftOutReason, leftOutReasons, takenAllTheSame } from '@/lib/contracts/upgrade-preview';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button } from '../../ui';
import type { Planning } from './planning';

/** What is looked at and not taken, reason by reason, with what each means. */
export function LeftOutSummary({ planning: { form, edit, preview } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.leftOut');
  const f = useFormats();
  const leftOut = preview.reply?.leftOut;
  const counts = useMemo(() => {
    const found = new Map<LeftOutReason, number>();
    for (const { reason } of leftOut ?? []) found.set(reason, (found.get(reason) ?? 0) + 1);
    return leftOutReasons.flatMap((reason) => {
      const count = found.get(reason);
      return count === undefined ? [] : [{ reason, count }];
    });
  }, [leftOut]);
  if (counts.length === 0) return null;
  return (
    <div>
      <h2 className="plan-h">{t('title', { count: leftOut?.length ?? 0 })}</h2>
      <dl className="plan-reasons">
        {counts.map(({ reason, count }) => (
          <div key={reason}>
            <dt className="num">{f.number(count)}</dt>
            <dd>
              <span className="b">{t(`reason.${reason}`)}</span>{' '}
              <span className="mut">
                {t(`why.${reason}`)} {takenAllTheSame.includes(reason) ? t('taken') : null}
              </span>
              {reason === 'stateNotChosen' && !form.paused ? (
                <div className="pt-1">
                  <Button size="sm" onClick={() => edit({ paused: true })}>
                    {t('includePaused')}
                  </Button>
                </div>
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
