'use client';

import clsx from 'clsx';
import { Check } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import { EmptyState, FilteredEmpty, FilterField, PageHead, useListState } from '@/components/common';
import { ColumnsMenu, DataTable, HeldUpdates, useDataTable, useSortParam } from '@/components/data-table';
import { Icon, Segmented } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { StoppedClock, useLiveStatus } from '@/lib/live';
import { useOrderText } from '../sandboxes/order-text';
import { rowId, sandboxPath } from '../sandboxes/paths';
import { parsePeek } from '../sandboxes/search-params';
import { useKeptRow } from '../sandboxes/use-kept-row';
import { ActiveFilters } from './active-filters';
import { Reading } from './reading';
import { useStuckColumns } from './stuck-columns';
import { stuckViews } from './stuck-params';
import { useStuckList } from './use-stuck-list';

// The reading needs the room of two columns of an image comparison.
const readingWidth = { '--peek': '492px' } as CSSProperties;
/** Below 1180 px the reading follows the list, and the page scrolls. */
const stacked = 'max-[1180px]:block! max-[1180px]:flex-none!';

const pane =
  'min-w-0 overflow-y-auto overscroll-contain border-l border-line max-[1180px]:overflow-visible max-[1180px]:border-t max-[1180px]:border-l-0';

const nameOf = (row: SandboxRow) => row.name;

/** What is past the limit of its state, worst first, and beside it why. */
export function StuckPage() {
  const t = useTranslations('stuck');
  const f = useFormats();
  const list = useStuckList();
  const listState = useListState('sandboxes');
  const ready = listState === 'ready';
  const [sort, onSort] = useSortParam('-dwell');
  const columns = useStuckColumns();
  const order = useOrderText(columns, sort);
  const table = useDataTable({
    id: 'stuck',
    rows: list.rows,
    columns,
    getId: rowId,
    sort,
    onSort,
    scope: list.scope,
  });

  const { worst, setHold } = useWorst(table.ordered);
  const asked = parsePeek(list.search.peek) ?? worst;
  const kept = useKeptRow(asked?.ns ?? '', asked?.name ?? '');
  const read = kept.row;
  const at = read ? table.ordered.findIndex((row) => row.uid === read.uid) : -1;
  const step = (index: number) => {
    const row = table.ordered[index];
    return row && at >= 0 ? () => list.setPeek(row) : undefined;
  };
  const overdue = list.total.overdue;
  const sessions = overdue.filter((row) => row.claimed).length;
  const nothing = ready && list.all.length > 0 && overdue.length === 0;

  return (
    <>
      <PageHead
        title={t('title')}
        sub={ready ? <Summary overdue={overdue.length} sessions={sessions} /> : undefined}
        actions={
          <>
            <HeldUpdates table={table} />
            <Segmented
              label={t('view.label')}
              value={list.view}
              onChange={list.setView}
              options={stuckViews.map((view) => ({
                value: view,
                label: `${t(`view.${view}`)} ${ready ? f.number(list.views[view].length) : '–'}`,
              }))}
            />
            <span className="flex max-[760px]:basis-full max-[760px]:[&>.filter]:flex-1">
              <FilterField value={list.search.q} onChange={list.setText} placeholder={t('filter')} width={190} />
            </span>
            <ColumnsMenu table={table} />
          </>
        }
      />
      <ActiveFilters filters={list.filters} onClear={list.clear} />
      {nothing ? <Calm /> : null}
      <div className={clsx('three nofac', !read && 'nopeek', stacked)} style={readingWidth}>
        <div className="flex min-h-0 min-w-0 max-[1180px]:h-[58vh]">
          <DataTable
            table={table}
            kind="sandboxes"
            label={t('title')}
            nameOf={nameOf}
            hrefOf={sandboxPath}
            onOpen={list.setPeek}
            openId={read && rowId(read)}
            twoLines
            empty={
              list.filtered && list.total[list.view].length > 0 ? (
                <FilteredEmpty total={list.total[list.view].length} onClear={list.clear} />
              ) : nothing && list.view !== 'progress' ? null : (
                <EmptyState title={t(`none.${list.view}`)}>{t('none.text')}</EmptyState>
              )
            }
            footer={t('footer', { shown: table.ordered.length, total: list.total[list.view].length, order })}
          />
        </div>
        {read ? (
          // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only hold what is shown
          <div
            className={pane}
            onPointerEnter={() => setHold(true)}
            onPointerLeave={() => setHold(false)}
            onFocus={() => setHold(true)}
            onBlur={() => setHold(false)}
          >
            <StoppedClock value={kept.goneAt}>
              <Reading key={read.uid} kept={kept} row={read} onPrevious={step(at - 1)} onNext={step(at + 1)} />
            </StoppedClock>
          </div>
        ) : null}
      </div>
    </>
  );
}

/**
 * The first row; while somebody is in the reading, the one that was first then: a reading is not exchanged under
 * the reader because another sandbox became worse.
 */
function useWorst(ordered: readonly SandboxRow[]) {
  const [first] = ordered;
  const [held, setHeld] = useState<SandboxRow>();
  const [hold, setHold] = useState(false);
  if (hold && !held && first) setHeld(first);
  if (!hold && held) setHeld(undefined);
  return { worst: held ?? first, setHold };
}

function Summary({ overdue, sessions }: { overdue: number; sessions: number }) {
  const t = useTranslations('stuck.summary');
  return (
    <>
      {overdue > 0 ? (
        <>
          <b className="b text-breach-fg">{t('overdue', { count: overdue })}</b> · {t('sessions', { count: sessions })}{' '}
          ·{' '}
        </>
      ) : null}
      <Checked />
    </>
  );
}

/** When everything on the page was last known to be current. */
function Checked() {
  const t = useTranslations('stuck.summary');
  const f = useFormats();
  const { ageMs } = useLiveStatus();
  return <>{t('checked', { age: f.coarse(ageMs) })}</>;
}

function Calm() {
  const t = useTranslations('stuck');
  return (
    <p className="row border-t border-line px-[var(--gutter)] py-3">
      <Icon icon={Check} tone="ok" />
      {t('calm')}
      <span className="dim sm">
        <Checked />
      </span>
    </p>
  );
}
