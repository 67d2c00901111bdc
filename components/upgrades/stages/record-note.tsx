'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { UpgradeLeave } from '@/lib/contracts/upgrade-history';
import { groupBy } from '@/lib/domain/group-by';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Exact, SafeText } from '../../common';
import { objectHref } from '../../shell/navigation';
import { Note } from '../../ui';
import { ProblemNote } from '../../writes/problem-note';
import { upgradeHistory } from '../queries';
import type { StageRow } from './stage-rows';

/** Which rows come from the console's record, where the sandboxes are by now, and what nobody knows. */
export function RecordNote({ upgrade: { op, view }, all }: { upgrade: Upgrade; all: readonly StageRow[] }) {
  const t = useTranslations('upgrades.stages.record');
  const { data, error, refetch } = useQuery(upgradeHistory(op));
  const past = all.flatMap(({ left }) => left ?? []);
  const counted = view.updated + view.updating + view.failed;
  const missing = isActive(op) ? 0 : Math.max(0, counted - all.length);
  if (error && missing > 0) {
    return (
      <div className="up-record">
        <ProblemNote about="upgrade" asked="reading" error={error} onAsk={() => void refetch()} />
      </div>
    );
  }
  // Until it is known, nothing is said to be missing.
  if (past.length === 0 && (missing === 0 || !data)) return null;
  return (
    <div className="up-record">
      <Note
        tone="unknown"
        title={past.length > 0 ? t('title', { count: past.length }) : t('missing', { count: missing })}
      >
        {past.length > 0 ? <p>{t('text')}</p> : null}
        {[...groupBy(past, ({ why, to, seen }) => `${why} ${to} ${seen}`).values()].map((all) => (
          <Gone key={`${all[0]?.why} ${all[0]?.to} ${all[0]?.seen}`} ns={op.ns} leaves={all} />
        ))}
        {past.length > 0 && missing > 0 ? <p>{t('missing', { count: missing })}</p> : null}
        {missing > 0 ? <p>{t('missingText')}</p> : null}
      </Note>
    </div>
  );
}

function Gone({ ns, leaves }: { ns: string; leaves: readonly UpgradeLeave[] }) {
  const t = useTranslations('upgrades.stages.record');
  const [first] = leaves;
  if (!first) return null;
  const { why, seen, to = '' } = first;
  const times = leaves.map(({ at }) => at);
  const [from, until] = [Math.min(...times), Math.max(...times)];
  return (
    <p>
      {t.rich(`${why}.${seen ? 'seen' : 'unseen'}`, {
        count: leaves.length,
        name: () => (
          <Link href={objectHref('upgrades', ns, to)}>
            <SafeText text={to} />
          </Link>
        ),
        at: () =>
          !seen || from === until ? (
            <Exact at={until} />
          ) : (
            t.rich('range', { from: () => <Exact at={from} />, until: () => <Exact at={until} /> })
          ),
      })}
    </p>
  );
}
