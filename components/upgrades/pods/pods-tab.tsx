'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState, SafeText } from '../../common';
import { type DataColumn, DataTable, RowLink, type Sort, useDataTable } from '../../data-table';
import { sandboxPath } from '../../sandboxes/paths';
import { shortUid } from '../../sandboxes/short';
import { ProblemNote } from '../../writes/problem-note';
import { upgradeHistory } from '../queries';
import type { StageRow } from '../stages/stage-rows';
import type { Pods } from './pod-pair';

type PodRow = { uid: string; ns: string; name: string; done: boolean; pods: Pods | undefined };

const idOf = ({ uid }: PodRow) => uid;
const nameOf = ({ name }: PodRow) => name;
const none = <span className="dim">–</span>;
const byName: Sort = { id: 'name', desc: false };

/** Old Pod against new Pod of every sandbox that was adopted. */
export function PodsTab({ upgrade: { op }, all }: { upgrade: Upgrade; all: readonly StageRow[] }) {
  const t = useTranslations('upgrades.pods');
  const { data, error, refetch } = useQuery(upgradeHistory(op));
  const rows = useMemo(
    () =>
      all.flatMap(({ row: { uid, ns, name }, waits, stage, left }) =>
        // Without a record of what came before, that none is there is not known either.
        waits
          ? []
          : {
              uid,
              ns,
              name,
              done: stage === 'Done' || !data?.pods[uid]?.before || left !== undefined,
              pods: data?.pods[uid],
            },
      ),
    [all, data],
  );
  const columns = usePodColumns();
  const [sort, onSort] = useState(byName);
  const table = useDataTable({ id: 'upgrade-pods', rows, columns, getId: idOf, sort, onSort });
  return (
    <>
      {error ? (
        <div className="p-[var(--gutter)]">
          <ProblemNote about="upgrade" asked="reading" error={error} onAsk={() => void refetch()} />
        </div>
      ) : null}
      <DataTable
        table={table}
        kind="sandboxes"
        noBanner
        label={t('title')}
        nameOf={nameOf}
        hrefOf={sandboxPath}
        empty={<EmptyState title={t('none')}>{t('noneText')}</EmptyState>}
        footer={t('footer')}
      />
    </>
  );
}

function usePodColumns(): DataColumn<PodRow>[] {
  const t = useTranslations('upgrades.pods');
  const f = useFormats();
  return useMemo(() => {
    const time = (at: number | undefined) => (at === undefined ? none : <span title={f.exact(at)}>{f.time(at)}</span>);
    const uid = (value: string | undefined, word: 'notSeen' | 'notYet' = 'notSeen') =>
      value === undefined ? (
        <span className="dim">{t(word)}</span>
      ) : (
        <span className="mono" title={value}>
          {shortUid(value)}
        </span>
      );
    const node = (value: string | undefined) => (value === undefined ? none : <SafeText text={value} />);
    return [
      {
        id: 'name',
        header: t('column.name'),
        width: 190,
        always: true,
        cell: (row) => <RowLink href={sandboxPath(row)} name={row.name} mono />,
        sort: ({ name }) => name,
      },
      { id: 'before', header: t('column.before'), width: 110, cell: ({ pods }) => uid(pods?.before?.uid) },
      {
        id: 'beforeNode',
        header: t('column.beforeNode'),
        width: 110,
        priority: 2,
        cell: ({ pods }) => node(pods?.before?.node),
        sort: ({ pods }) => pods?.before?.node,
      },
      {
        id: 'gone',
        header: t('column.gone'),
        width: 110,
        priority: 2,
        cell: ({ pods }) => time(pods?.before?.gone),
        sort: ({ pods }) => pods?.before?.gone,
      },
      {
        id: 'after',
        header: t('column.after'),
        width: 110,
        cell: ({ pods, done }) => uid(pods?.after?.uid, done ? 'notSeen' : 'notYet'),
      },
      {
        id: 'afterNode',
        header: t('column.afterNode'),
        width: 110,
        cell: ({ pods }) => node(pods?.after?.node),
        sort: ({ pods }) => pods?.after?.node,
      },
      {
        id: 'since',
        header: t('column.since'),
        width: 110,
        priority: 2,
        cell: ({ pods }) => time(pods?.after?.since),
        sort: ({ pods }) => pods?.after?.since,
      },
    ];
  }, [t, f]);
}
