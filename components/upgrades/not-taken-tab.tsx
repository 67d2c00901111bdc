'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { UpgradeMembersReply } from '@/lib/contracts/upgrade-members';
import type { LeftOutReason } from '@/lib/contracts/upgrade-preview';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState, SafeText } from '../common';
import { type DataColumn, DataTable, type Sort, useDataTable } from '../data-table';
import { objectHref } from '../shell/navigation';
import { ProblemNote } from '../writes/problem-note';
import { upgradeHistory, upgradeMembers } from './queries';
import { sandboxColumn } from './sandbox-column';

/** `passedOver`: it matches now, but the operation ended without it (T12). */
type NotTaken =
  | UpgradeMembersReply['leftOut'][number]
  | { uid: string; name: string; reason: 'passedOver'; detail?: never };

const idOf = ({ uid }: NotTaken) => uid;
const nameOf = ({ name }: NotTaken) => name;
const byReason: Sort = { id: 'reason', desc: false };
const nothing: NotTaken[] = [];

/** What the selector matches and the counts do not hold, each with its reason. */
export function useNotTaken({ op }: Upgrade) {
  const query = useQuery(upgradeMembers(op));
  const records = useQuery(upgradeHistory(op)).data?.records;
  const over = !isActive(op);
  const rows = useMemo<NotTaken[]>(() => {
    if (!query.data) return nothing;
    const { leftOut, waiting } = query.data;
    if (!over) return leftOut;
    // It had those that the console remembers: its counts hold them.
    const had = new Set(records?.map(({ row }) => row.uid));
    const passedOver = waiting.map((sandbox): NotTaken => ({ ...sandbox, reason: 'passedOver' }));
    return [...leftOut, ...passedOver].filter(({ uid }) => !had.has(uid));
  }, [query.data, records, over]);
  return { query, rows };
}

export function NotTakenTab({ upgrade }: { upgrade: Upgrade }) {
  const t = useTranslations('upgrades.notTaken');
  const { op } = upgrade;
  const { query, rows } = useNotTaken(upgrade);
  const columns = useColumns(op.ns);
  const [sort, onSort] = useState(byReason);
  const table = useDataTable({ id: 'upgrade-not-taken', rows, columns, getId: idOf, sort, onSort });
  return (
    <>
      {query.error ? (
        <div className="p-[var(--gutter)]">
          <ProblemNote about="upgrade" asked="reading" error={query.error} onAsk={() => void query.refetch()} />
        </div>
      ) : null}
      <DataTable
        table={table}
        kind="sandboxes"
        noBanner
        label={t('title')}
        nameOf={nameOf}
        hrefOf={({ name }) => objectHref('sandboxes', op.ns, name)}
        empty={
          <EmptyState title={query.data ? t('none') : t('asking')}>{query.data ? t('noneText') : null}</EmptyState>
        }
        footer={t('footer', { selector: op.selector === '' ? '–' : op.selector })}
      />
    </>
  );
}

function useColumns(ns: string): DataColumn<NotTaken>[] {
  const t = useTranslations('upgrades.notTaken');
  const reasons = useTranslations('upgrade-plan.leftOut.reason');
  const why = useTranslations('upgrade-plan.leftOut.why');
  return useMemo(() => {
    const say = (reason: LeftOutReason | 'passedOver') => (reason === 'passedOver' ? t('passedOver') : reasons(reason));
    return [
      sandboxColumn(t('column.name'), ns),
      {
        id: 'reason',
        header: t('column.reason'),
        width: 170,
        cell: ({ reason }) => say(reason),
        sort: ({ reason }) => say(reason),
        tie: ({ name }) => name,
      },
      {
        id: 'why',
        header: t('column.why'),
        width: 420,
        priority: 2,
        cell: ({ reason, detail }) => (
          <span className="mut" title={detail}>
            {reason === 'passedOver' ? t('passedOverWhy') : why(reason)}{' '}
            {detail === undefined ? null : <SafeText text={detail} />}
          </span>
        ),
      },
    ];
  }, [ns, t, reasons, why]);
}
