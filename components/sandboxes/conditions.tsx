'use client';

import { SafeText } from '@/components/common';
import type { ConditionReading } from '@/lib/domain/object-readings';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';

/** `False · CreatePod`: what a condition says, in the controller's words. */
export function ConditionState({ condition }: { condition: ConditionReading }) {
  return (
    <>
      <SafeText text={condition.status} />
      {condition.reason ? (
        <>
          {' · '}
          <SafeText text={condition.reason} />
        </>
      ) : null}
    </>
  );
}

/** Conditions as the object has them, with the time since each flipped. */
export function Conditions({ conditions }: { conditions: readonly ConditionReading[] }) {
  const t = useTranslations('sandboxes.conditions');
  const f = useFormats();
  const now = useNow();
  if (conditions.length === 0) return <p className="sm dim">{t('none')}</p>;
  return (
    <table className="sm w-full border-separate border-spacing-0 [&_td]:px-0 [&_td]:py-[3px] [&_td:not(:last-child)]:pr-[10px]">
      <tbody>
        {conditions.map((condition) => (
          <tr key={condition.type} title={condition.message}>
            <td>
              <SafeText text={condition.type} />
            </td>
            <td className="mut">
              <ConditionState condition={condition} />
            </td>
            <td className="num" title={condition.at === undefined ? undefined : f.exact(condition.at)}>
              {condition.at === undefined ? '–' : f.duration(Math.max(0, now - condition.at))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
