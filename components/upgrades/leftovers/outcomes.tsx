'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import type { CleanItem, Outcome } from './use-cleaning';

/** Each sandbox with what would become of it, or what did; those that were refused first. */
export function Outcomes(props: {
  items: readonly CleanItem[];
  outcomes: readonly Outcome[] | undefined;
  /** Nothing is written yet. */
  dry: boolean;
}) {
  const t = useTranslations('upgrades.leftovers');
  const found = new Map(props.outcomes?.map((outcome) => [outcome.uid, outcome]));
  const troubled = (item: CleanItem) => {
    const result = found.get(item.uid)?.result;
    return result === 'refused' || result === 'unknown';
  };
  const rows = props.items.toSorted((a, b) => Number(troubled(b)) - Number(troubled(a)));
  return (
    // A scroll area has to be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="up-outcomes" aria-label={t('outcomes')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>{t('column.sandbox')}</th>
            <th>{t('column.left')}</th>
            <th>{props.dry ? t('column.wouldBe') : t('column.result')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((item) => {
            const outcome = found.get(item.uid);
            return (
              <tr key={item.uid}>
                <td className="mono">
                  <SafeText text={item.name} />
                </td>
                <td className="mut">{item.kinds.map((kind) => t(`kind.${kind}`)).join(', ')}</td>
                <td data-tone={troubled(item) ? 'breach' : undefined}>
                  {outcome ? t(`${props.dry ? 'dry' : 'result'}.${outcome.result}`) : '–'}
                  {outcome?.message ? (
                    <span className="sub">
                      <SafeText text={outcome.message} />
                    </span>
                  ) : null}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
