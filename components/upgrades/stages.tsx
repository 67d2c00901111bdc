'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';
import type { Upgrade } from '@/lib/domain/upgrade-views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState, FilteredEmpty, SectionHead } from '../common';
import { DataTable, HeldUpdates, useDataTable, useSortParam } from '../data-table';
import { sandboxPath } from '../sandboxes/paths';
import { Segmented } from '../ui';
import { type StageRow, useStageColumns } from './stage-columns';

const idOf = ({ row }: StageRow) => row.uid;
const nameOf = ({ row }: StageRow) => row.name;
const hrefOf = ({ row }: StageRow) => sandboxPath(row);
const filters = ['all', 'failed', 'running', 'done'] as const;
type Filter = (typeof filters)[number];

const passes: Record<Filter, (row: StageRow) => boolean> = {
  all: () => true,
  failed: ({ failed }) => failed,
  running: ({ failed, stage }) => !failed && stage !== 'Done',
  done: ({ stage }) => stage === 'Done',
};

/** Every sandbox the operation has adopted, by the stage it has reached. */
export function Stages({ upgrade: { op, view } }: { upgrade: Upgrade }) {
  const t = useTranslations('upgrades.stages');
  const [filter, setFilter] = useQueryState('show', parseAsStringLiteral(filters).withDefault('all'));
  const rows = view.sandboxes.filter(passes[filter]);
  const columns = useStageColumns(op);
  const [sort, onSort] = useSortParam('progress');
  const table = useDataTable({ id: 'stages', rows, columns, getId: idOf, sort, onSort, scope: filter });
  return (
    <>
      <SectionHead
        title={t('title')}
        hint={t('hint', { count: view.sandboxes.length })}
        end={
          <Segmented
            label={t('filter')}
            value={filter}
            onChange={(value) => void setFilter(value)}
            options={filters.map((value) => ({
              value,
              label: t(`show.${value}`, { count: view.sandboxes.filter(passes[value]).length }),
            }))}
          />
        }
      />
      <FailureGroups upgrade={{ op, view }} />
      <DataTable
        table={table}
        kind="sandboxes"
        label={t('title')}
        nameOf={nameOf}
        hrefOf={hrefOf}
        empty={
          view.sandboxes.length > 0 ? (
            <FilteredEmpty total={view.sandboxes.length} onClear={() => void setFilter(null)} />
          ) : (
            <EmptyState
              title={t('empty')}
              command={`kubectl -n ${op.ns} get sbx -l agents.kruise.io/update-ops=${op.name}`}
            >
              {t('emptyText')}
            </EmptyState>
          )
        }
        footer={
          <>
            <span>{view.waiting > 0 ? t('waiting', { count: view.waiting }) : t('footer')}</span>
            <HeldUpdates table={table} />
          </>
        }
      />
    </>
  );
}

/** The failures by the stage they happened in, with the documented way on. */
function FailureGroups({ upgrade: { view } }: { upgrade: Upgrade }) {
  const t = useTranslations('upgrades.stages');
  const f = useFormats();
  if (view.failures.length === 0) return null;
  return (
    <ul className="fails">
      {view.failures.map(({ stage, count }) => (
        <li key={stage}>
          <span className="text-breach-fg">{t('failedIn', { stage })}</span> {f.number(count)}
          <span className="dim"> · {t(`next.${stage}`)}</span>
        </li>
      ))}
    </ul>
  );
}
