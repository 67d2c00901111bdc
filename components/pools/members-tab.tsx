'use client';

import { useMemo } from 'react';
import type { PoolRow, SandboxRow } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { EmptyState } from '../common';
import { DataTable, HeldUpdates, useDataTable, useSortParam } from '../data-table';
import { sandboxPath } from '../sandboxes/paths';
import { useSandboxColumns } from '../sandboxes/sandbox-columns';
import { usePools } from '../sandboxes/use-sandbox-list';

const nameOf = (row: SandboxRow) => row.name;
/** Members of one pool share a namespace; rows of equal dwell rank stand by name. */
const idOf = nameOf;
/** What says nothing of a member, the same in every row, or a second time what its state says. */
const hidden = {
  idle: new Set(['pool', 'owner', 'next', 'namespace', 'id']),
  claimed: new Set(['pool', 'namespace', 'id', 'ready']),
};
/** Beside the pool's other columns the message gets less, so that they all fit into 1440 px. */
const messageWidth = 200;

/** The sandboxes of one pool: its stock, or the sessions that came out of it and no longer count in it. */
export function MembersTab({ pool, which }: { pool: PoolRow; which: 'idle' | 'claimed' }) {
  const t = useTranslations('pools.members');
  const sandboxes = useRows('sandboxes');
  const rows = useMemo(
    () =>
      sandboxes.filter(
        (row) => row.ns === pool.ns && row.pool === pool.name && (which === 'idle') === (row.idle === true),
      ),
    [sandboxes, pool.ns, pool.name, which],
  );
  const all = useSandboxColumns(usePools(), false);
  const columns = useMemo(
    () =>
      all
        .filter(({ id }) => !hidden[which].has(id))
        .map((column) => (column.id === 'message' ? { ...column, width: messageWidth } : column)),
    [all, which],
  );
  const [sort, onSort] = useSortParam('-dwell');
  const table = useDataTable({ id: `pool-${which}`, rows, columns, getId: idOf, sort, onSort, scope: which });
  return (
    <DataTable
      table={table}
      kind="sandboxes"
      noBanner
      label={t(`${which}.label`, { name: pool.name })}
      nameOf={nameOf}
      hrefOf={sandboxPath}
      rowClass={(row) => (row.state === 'Terminating' ? 'gone' : undefined)}
      empty={
        <EmptyState
          title={t(`${which}.empty`)}
          command={`kubectl -n ${pool.ns} get sbx -l agents.kruise.io/sandbox-pool=${pool.name},agents.kruise.io/sandbox-claimed=${which === 'claimed'}`}
        >
          {t(`${which}.emptyText`)}
        </EmptyState>
      }
      footer={
        <>
          <span>{t(`${which}.footer`, { count: rows.length })}</span>
          <HeldUpdates table={table} />
        </>
      }
    />
  );
}
