'use client';

import { Check } from 'lucide-react';
import { useMemo } from 'react';
import { Dwell, SafeText, SandboxState } from '@/components/common';
import { type DataColumn, RowLink } from '@/components/data-table';
import { Icon } from '@/components/ui';
import { displayStates, type SandboxRow } from '@/lib/contracts/rows';
import { nextThing } from '@/lib/domain/deadlines';
import type { FilterContext } from '@/lib/domain/sandbox-filter';
import { longerOf, urgencyOf } from '@/lib/domain/urgency';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits } from '@/lib/live';
import { SandboxMenu } from './actions';
import { ClaimedBy } from './claimed-by';
import { NextThingText } from './next-thing';
import { useOverdueOrder } from './order-text';
import { sandboxPath } from './paths';
import { Revision } from './revision';
import { sessionName } from './session-name';
import { useNarrow } from './use-narrow';

const none = <span className="dim">–</span>;
const stateOrder = new Map(displayStates.map((state, index) => [state, index]));

/** Columns of the list. `many`: there are several namespaces, so each row names its own. */
export function useSandboxColumns(pools: FilterContext['pools'], many: boolean): DataColumn<SandboxRow>[] {
  const t = useTranslations('sandboxes');
  const f = useFormats();
  const narrow = useNarrow();
  const overdue = useOverdueOrder();
  const limits = useLimits();
  return useMemo(() => {
    const text = (value: string | undefined) => (value === undefined ? none : <SafeText text={value} />);
    const columns: DataColumn<SandboxRow>[] = [
      {
        id: 'state',
        header: t('column.state'),
        width: narrow ? 100 : 113,
        always: true,
        cell: (row) => <SandboxState row={row} />,
        sort: (row) => stateOrder.get(row.state),
        watch: (row) => row.state,
      },
      {
        id: 'name',
        header: t('column.name'),
        width: narrow ? 150 : 162,
        always: true,
        cell: (row) => <RowLink href={sandboxPath(row)} name={row.name} mono />,
        sort: (row) => row.name,
      },
      {
        id: 'dwell',
        header: t('column.dwell'),
        width: narrow ? 92 : 154,
        align: 'end',
        cell: (row) => (
          <span className="norail">
            <Dwell row={row} />
          </span>
        ),
        sort: (row, now) => urgencyOf(row, now, limits),
        tie: longerOf,
        order: overdue,
        sortFirst: 'descending',
        watch: (row) => row.since,
      },
      {
        id: 'actions',
        header: t('column.actions'),
        width: 74,
        align: 'end',
        priority: 2,
        cell: (row) => <SandboxMenu row={row} />,
      },
      {
        id: 'next',
        header: t('column.next'),
        width: 152,
        priority: 2,
        cell: (row) => <NextThingText row={row} />,
        sort: (row, now) => nextThing(row, now)?.at,
        watch: (row) => `${row.pauseAt}/${row.shutdownAt}`,
      },
      {
        id: 'owner',
        header: t('column.claimedBy'),
        width: 152,
        priority: 2,
        cell: (row) => <ClaimedBy row={row} />,
        sort: sessionName,
        watch: (row) => row.owner ?? row.claimName,
      },
      {
        id: 'node',
        header: t('column.node'),
        width: 100,
        priority: 2,
        cell: (row) => <span className="mut">{text(row.node)}</span>,
        sort: (row) => row.node,
        watch: (row) => row.node,
      },
      {
        id: 'revision',
        header: t('column.revision'),
        width: 104,
        priority: 2,
        cell: (row) => <Revision row={row} pools={pools} />,
        sort: (row) => row.hash,
        watch: (row) => row.hash,
      },
      {
        id: 'pool',
        header: t('column.pool'),
        width: 120,
        priority: 2,
        cell: (row) => <span className="mut">{text(row.pool)}</span>,
        sort: (row) => row.pool,
      },
      {
        id: 'restarts',
        header: t('column.restarts'),
        width: 76,
        align: 'end',
        priority: 2,
        cell: (row) =>
          row.restarts === undefined ? (
            none
          ) : (
            <span className={row.restarts === 0 ? 'dim' : undefined}>{f.number(row.restarts)}</span>
          ),
        sort: (row) => row.restarts,
        sortFirst: 'descending',
        watch: (row) => row.restarts,
      },
      {
        id: 'ready',
        header: t('column.ready'),
        width: 64,
        priority: 3,
        cell: (row) => <Ready row={row} yes={t('ready.yes')} no={t('ready.no')} />,
        sort: (row) => (row.ready === undefined ? undefined : Number(row.ready)),
        watch: (row) => row.ready,
      },
      {
        id: 'message',
        header: t('column.message'),
        width: 260,
        priority: 3,
        cell: (row) => <Message row={row} />,
        watch: (row) => row.message,
      },
      {
        id: 'id',
        header: t('column.id'),
        width: 120,
        priority: 3,
        cell: (row) => <span className="mono mut">{text(row.id)}</span>,
        sort: (row) => row.id,
      },
    ];
    if (!many) return columns;
    return columns.toSpliced(9, 0, {
      id: 'namespace',
      header: t('column.namespace'),
      width: 120,
      priority: 3,
      cell: (row) => <span className="mut">{row.ns}</span>,
      sort: (row) => row.ns,
    });
  }, [f, limits, many, narrow, overdue, pools, t]);
}

/** A sandbox that has ended keeps its Ready condition, so there it says nothing. */
function Ready({ row, yes, no }: { row: SandboxRow; yes: string; no: string }) {
  if (row.ready === undefined || row.state === 'Failed' || row.state === 'Succeeded') return none;
  if (!row.ready) return <span className="dim">{no}</span>;
  return (
    <span className="dim inline-flex align-middle" title={yes}>
      <Icon icon={Check} />
      <span className="vh">{yes}</span>
    </span>
  );
}

/** What the cluster says, else the evidence of the cause. */
function Message({ row }: { row: SandboxRow }) {
  const said = row.message ?? row.cause?.detail;
  if (said === undefined) return none;
  return (
    <span className="mut cut block" title={said}>
      <SafeText text={said} />
    </span>
  );
}
