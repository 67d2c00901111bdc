'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { OutcomesTable } from '../../writes/outcomes-table';
import type { CleanItem, Outcome } from './use-cleaning';

/** Each sandbox with what would become of it, or what did; those that were refused first. */
export function Outcomes(props: {
  items: readonly CleanItem[];
  outcomes: readonly Outcome[] | undefined;
  /** Nothing is written yet. */
  dry: boolean;
}) {
  const { items, outcomes, dry } = props;
  const t = useTranslations('upgrades.leftovers');
  const found = new Map(outcomes?.map((outcome) => [outcome.uid, outcome]));
  const troubled = ({ uid }: CleanItem) => ['refused', 'unknown'].includes(found.get(uid)?.result ?? '');
  const lines = items
    .toSorted((a, b) => Number(troubled(b)) - Number(troubled(a)))
    .map((item) => {
      const outcome = found.get(item.uid);
      return {
        uid: item.uid,
        name: item.name,
        about: <span className="mut">{item.kinds.map((kind) => t(`kind.${kind}`)).join(', ')}</span>,
        result: outcome && t(`${dry ? 'dry' : 'result'}.${outcome.result}`),
        tone: troubled(item) ? ('breach' as const) : undefined,
        notes: outcome?.message ? [outcome.message] : [],
      };
    });
  return <OutcomesTable lines={lines} aboutHead={t('column.left')} dry={dry} />;
}
