'use client';

import { Exact, SafeText } from '@/components/common';
import type { ConditionReading } from '@/lib/domain/object-readings';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { ConditionState } from '../conditions';

/** Conditions by the time their status last flipped, newest first: the order in which things happened, as far as the object tells. */
export function ConditionTimeline({ conditions }: { conditions: readonly ConditionReading[] }) {
  const t = useTranslations('sandboxes.detail');
  const f = useFormats();
  const now = useNow();
  if (conditions.length === 0) return <p className="dim px-[var(--gutter)] pb-3">{t('noConditions')}</p>;
  const byTime = [...conditions].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
  return (
    <ol className="pb-2">
      {byTime.map((condition) => (
        <li
          key={condition.type}
          className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-4 border-t border-line px-[var(--gutter)] py-[7px] first:border-0"
        >
          <span className="dim sm nw">{condition.at === undefined ? '–' : <Exact at={condition.at} />}</span>
          <span className="min-w-0">
            <span className="b">
              <SafeText text={condition.type} />
            </span>{' '}
            <span className="mut">
              <ConditionState condition={condition} />
            </span>
            {condition.message ? (
              <span className="sm mut block whitespace-pre-wrap wrap-anywhere">
                <SafeText text={condition.message} lines="keep" />
              </span>
            ) : null}
          </span>
          <span className="num mut nw">
            {condition.at === undefined ? '–' : f.duration(Math.max(0, now - condition.at))}
          </span>
        </li>
      ))}
    </ol>
  );
}
