'use client';

import { Plus } from 'lucide-react';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useMemo } from 'react';
import { type Leftover, leftoversOf } from '@/lib/domain/upgrades/leftovers';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { EmptyState, FilteredEmpty, FilterField, PageHead, useListState } from '../common';
import { DataTable, FilterTools, useDataTable, useSortParam, useTextFilter } from '../data-table';
import { objectHref } from '../shell/navigation';
import { ButtonLink, Segmented } from '../ui';
import { Hanging } from './leftovers/hanging';
import { LeftoversList } from './leftovers/leftovers-list';
import { NamespaceLocks } from './locks';
import { useUpgradeColumns } from './upgrade-columns';
import { useUpgrades } from './use-upgrade-views';
import { Words } from './words';
import './upgrades.css';

const idOf = ({ op }: Upgrade) => op.uid;
const nameOf = ({ op }: Upgrade) => op.name;
const hrefOf = ({ op }: Upgrade) => objectHref('upgrades', op.ns, op.name);
const haystack = ({ op, view }: Upgrade) =>
  `${op.name}\n${op.ns}\n${op.selector}\n${view.phase}\n${op.phase}`.toLowerCase();
const leftoverText = ({ row }: Leftover) => `${row.name}\n${row.ns}\n${row.owner ?? ''}`.toLowerCase();
const views = ['operations', 'leftovers'] as const;

/** Every SandboxUpdateOps of the scope, what needs somebody first; and what ended ones left behind. */
export function UpgradesPage() {
  const t = useTranslations('upgrades');
  const [view, setView] = useQueryState('view', parseAsStringLiteral(views).withDefault('operations'));
  const all = useUpgrades();
  const sandboxes = useRows('sandboxes');
  const ops = useRows('sandboxupdateops');
  const left = useMemo(() => leftoversOf(sandboxes, ops), [sandboxes, ops]);
  const filter = useTextFilter(all, haystack);
  const leftFilter = useTextFilter(left, leftoverText);
  const columns = useUpgradeColumns(filter.rows);
  const [sort, onSort] = useSortParam('phase');
  const table = useDataTable({
    id: 'upgrades',
    rows: filter.rows,
    columns,
    getId: idOf,
    sort,
    onSort,
    scope: filter.wanted,
  });
  const ready = useListState('sandboxupdateops') === 'ready';
  const unfinished = all.filter(({ op }) => isActive(op)).length;
  const deadlocked = all.filter((one) => one.view.phase === 'Deadlocked').length;

  return (
    <>
      <PageHead
        title={t('title')}
        sub={
          ready ? (
            <>
              {t('sub.all', { count: all.length })} · {t('sub.unfinished', { count: unfinished })}
              {deadlocked > 0 ? (
                <>
                  {' · '}
                  <span className="b text-breach-fg">{t('sub.deadlocked', { count: deadlocked })}</span>
                </>
              ) : null}
            </>
          ) : undefined
        }
        actions={
          <>
            {left.length > 0 || view === 'leftovers' ? (
              <Segmented
                label={t('views')}
                value={view}
                onChange={(next) => void setView(next)}
                options={[
                  { value: 'operations', label: t('operations') },
                  { value: 'leftovers', label: t('leftovers.count', { count: left.length }) },
                ]}
              />
            ) : null}
            {view === 'leftovers' ? (
              <FilterField
                value={leftFilter.text}
                onChange={(text) => leftFilter.set(text || null)}
                placeholder={t('filter')}
                width={190}
              />
            ) : (
              <FilterTools table={table} filter={filter} label={t('filter')} />
            )}
            <Words />
            <ButtonLink variant="primary" icon={Plus} href="/upgrades/new">
              {t('new')}
            </ButtonLink>
          </>
        }
      />
      {view === 'leftovers' ? (
        <LeftoversList all={left} filter={leftFilter} />
      ) : (
        <>
          <Hanging />
          <NamespaceLocks upgrades={all} />
          <DataTable
            table={table}
            kind="sandboxupdateops"
            label={t('title')}
            nameOf={nameOf}
            hrefOf={hrefOf}
            twoLines
            rowClass={({ op }) => (op.deleting === undefined ? undefined : 'gone')}
            empty={
              all.length > 0 ? (
                <FilteredEmpty total={all.length} onClear={() => filter.set(null)} />
              ) : (
                <EmptyState title={t('empty.title')} command="kubectl apply -f upgrade.yaml">
                  {t('empty.text')}
                </EmptyState>
              )
            }
            footer={t('footer')}
          />
        </>
      )}
    </>
  );
}
