'use client';

import { useMemo } from 'react';
import { Dwell, SafeText } from '@/components/common';
import { type DataColumn, RowLink } from '@/components/data-table';
import type { SandboxRow } from '@/lib/contracts/rows';
import { longerOf, urgencyOf } from '@/lib/domain/urgency';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits } from '@/lib/live';
import { ClaimedBy } from '../sandboxes/claimed-by';
import { useOverdueOrder } from '../sandboxes/order-text';
import { sandboxPath } from '../sandboxes/paths';
import { sessionName } from '../sandboxes/session-name';
import { useNarrow } from '../sandboxes/use-narrow';
import { OwnerCell } from './owner/owner-cell';
import { ShutsDownIn } from './shuts-down-in';

/** Columns of a cohort's members: what they share stands in the cohort. */
export function useMemberColumns(): DataColumn<SandboxRow>[] {
  const t = useTranslations('stuck.column');
  const narrow = useNarrow();
  const overdue = useOverdueOrder();
  const limits = useLimits();
  return useMemo(
    (): DataColumn<SandboxRow>[] => [
      {
        id: 'name',
        header: t('sandbox'),
        width: narrow ? 132 : 184,
        always: true,
        cell: (row) => <RowLink href={sandboxPath(row)} name={row.name} mono />,
        sort: (row) => row.name,
      },
      {
        id: 'dwell',
        header: t('dwell'),
        width: narrow ? 120 : 150,
        align: 'end',
        cell: (row) => <Dwell row={row} />,
        sort: (row, now) => urgencyOf(row, now, limits),
        tie: longerOf,
        order: overdue,
        sortFirst: 'descending',
        watch: (row) => row.since,
      },
      {
        id: 'clock',
        header: t('clock'),
        width: 108,
        priority: 4,
        cell: (row) => <Start row={row} />,
        sort: (row) => row.sinceFrom,
      },
      {
        id: 'owner',
        header: t('session'),
        width: 140,
        priority: 2,
        cell: (row) => <ClaimedBy row={row} />,
        sort: sessionName,
      },
      {
        id: 'shutdown',
        header: t('shutsDown'),
        width: narrow ? 96 : 106,
        align: 'end',
        cell: (row) => <ShutsDownIn row={row} />,
        sort: (row) => row.shutdownAt,
        watch: (row) => row.shutdownAt,
      },
      {
        id: 'node',
        header: t('node'),
        width: 146,
        priority: 2,
        cell: (row) => <NodeOf row={row} />,
        sort: (row) => row.node,
      },
      {
        id: 'mark',
        header: t('owner'),
        width: 104,
        priority: 3,
        cell: (row) => <OwnerCell target={{ scope: { ns: row.ns, uid: row.uid }, rows: [row], name: row.name }} />,
      },
    ],
    [limits, narrow, overdue, t],
  );
}

/** Where the start of the dwell comes from. */
function Start({ row }: { row: SandboxRow }) {
  const t = useTranslations('stuck.clock');
  return <span className="dim">{t(row.sinceFrom)}</span>;
}

/** Where its Pod is. */
function NodeOf({ row }: { row: SandboxRow }) {
  const t = useTranslations('stuck');
  if (row.node === undefined) return <span className="dim">{t('noNode')}</span>;
  return (
    <span className="mut">
      <SafeText text={row.node} />
    </span>
  );
}
