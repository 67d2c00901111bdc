'use client';

import clsx from 'clsx';
import { AlarmClockPlus } from 'lucide-react';
import { useCallback, useContext, useEffect } from 'react';
import { SectionHead } from '@/components/common';
import { ColumnsMenu, DataTable, HeldUpdates, useDataTable, useSortParam } from '@/components/data-table';
import { GuardedButton } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Cohort } from '@/lib/domain/cohorts';
import { nextThing } from '@/lib/domain/deadlines';
import { spokenFor } from '@/lib/domain/triage';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { useSandboxAction } from '../sandboxes/actions';
import { useActionRights } from '../sandboxes/actions/use-action-guard';
import { useOrderText } from '../sandboxes/order-text';
import { rowId, sandboxPath } from '../sandboxes/paths';
import { SelectionBar } from '../sandboxes/selection-bar';
import { useNarrow } from '../sandboxes/use-narrow';
import { useSaveRows } from '../sandboxes/use-save-rows';
import { BundleButton } from './bundle/bundle-button';
import { useCohortName } from './cohorts/cohort-words';
import { useMemberColumns } from './member-columns';
import { OwnerCell, OwnerContext } from './owner/owner-cell';
import type { useStuck } from './use-stuck';

const nameOf = (row: SandboxRow) => row.name;
/** In px: the foot, of one line or of two on a telephone; so many rows are in sight before the list scrolls. */
const footPx = { wide: 38, narrow: 54 };
const inSight = 10;

/** Members of the chosen cohort, most overdue first. */
export function MemberTable({
  stuck,
  cohort,
  read,
  onOrder,
}: {
  stuck: ReturnType<typeof useStuck>;
  cohort: Cohort;
  /** The one that is explained. */
  read: SandboxRow | undefined;
  onOrder: (order: { key: string; rows: readonly SandboxRow[] }) => void;
}) {
  const t = useTranslations('stuck');
  const name = useCohortName()(cohort);
  // On a telephone the cohorts have no room for it.
  const narrow = useNarrow();
  const [sort, onSort] = useSortParam('-dwell');
  const columns = useMemberColumns();
  const order = useOrderText(columns, sort);
  const save = useSaveRows(stuck.context);
  const table = useDataTable({
    id: 'stuck',
    rows: cohort.rows,
    columns,
    getId: rowId,
    sort,
    onSort,
    scope: `${stuck.scope}\n${cohort.key}`,
    selectable: true,
  });
  const { key } = cohort;
  const owner = useContext(OwnerContext);
  const incident = {
    scope: cohort.scope,
    rows: cohort.rows,
    href: `/stuck?${new URLSearchParams({ ...(stuck.search.by.length === 0 ? {} : { by: stuck.search.by.join() }), cohort: key })}`,
    marks: () => (owner ? spokenFor(cohort.rows, owner.said.markOf).map(({ mark }) => mark) : []),
  };
  const { ordered, selection } = table;
  // Outside of this list the same order is stepped through.
  useEffect(() => onOrder({ key, rows: ordered }), [key, onOrder, ordered]);
  const chosen =
    selection.size > 0 ? ordered.filter((row) => selection.has(rowId(row)) && !table.gone.has(rowId(row))) : [];
  const open = useCallback((row: SandboxRow) => stuck.setPeek(key, row), [key, stuck.setPeek]);
  const lines = Math.min(Math.max(ordered.length, 1), inSight);
  const height = `calc(var(--head-row) + ${lines} * var(--row) + ${footPx[narrow ? 'narrow' : 'wide']}px)`;
  return (
    <section className="sec">
      <SectionHead
        title={t('members', { count: cohort.rows.length })}
        hint={name}
        end={
          <>
            <HeldUpdates table={table} />
            {narrow ? <OwnerCell target={{ scope: cohort.scope, rows: cohort.rows, name }} /> : null}
            <ExtendAll rows={cohort.rows} />
            <BundleButton incident={incident} size="sm" />
            <ColumnsMenu table={table} />
          </>
        }
      />
      <div className={clsx('listed', cohort.alike && 'same')} style={{ height }}>
        <DataTable
          table={table}
          kind="sandboxes"
          label={t('membersOf', { name })}
          nameOf={nameOf}
          hrefOf={sandboxPath}
          onOpen={open}
          openId={read && rowId(read)}
          noBanner
          bar={
            chosen.length > 0 ? (
              <SelectionBar
                rows={chosen}
                onExport={() => save(chosen)}
                onClear={() => table.select([...selection], false)}
              />
            ) : undefined
          }
          empty={null}
          footer={t('footer', { shown: ordered.length, total: cohort.rows.length, order })}
        />
      </div>
    </section>
  );
}

/** What costs nothing and buys time for all of them: only where one is to end by itself. */
function ExtendAll({ rows }: { rows: readonly SandboxRow[] }) {
  const now = useNow(2_000);
  const ending = rows.filter((row) => nextThing({ ...row, paused: true }, now));
  return ending.length < 2 ? null : <Extend rows={ending} />;
}

function Extend({ rows }: { rows: readonly SandboxRow[] }) {
  const t = useTranslations('stuck');
  const open = useSandboxAction();
  const guard = useActionRights('setDeadline', rows, false, undefined);
  return (
    <GuardedButton guard={guard} size="sm" icon={AlarmClockPlus} onClick={() => open('setDeadline', rows)}>
      {t('extendAll', { count: rows.length })}
    </GuardedButton>
  );
}
