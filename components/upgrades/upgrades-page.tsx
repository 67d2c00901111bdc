'use client';

import type { Upgrade } from '@/lib/domain/upgrade-views';
import { isActive } from '@/lib/domain/upgrades';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState, FilteredEmpty, PageHead, useListState } from '../common';
import { DataTable, FilterTools, useDataTable, useSortParam, useTextFilter } from '../data-table';
import { objectHref } from '../shell/navigation';
import { NamespaceLocks } from './locks';
import { useUpgradeColumns } from './upgrade-columns';
import { useUpgrades } from './use-upgrade-views';

const idOf = ({ op }: Upgrade) => op.uid;
const nameOf = ({ op }: Upgrade) => op.name;
const hrefOf = ({ op }: Upgrade) => objectHref('upgrades', op.ns, op.name);
const haystack = ({ op, view }: Upgrade) =>
  `${op.name}\n${op.ns}\n${op.selector}\n${view.phase}\n${op.phase}`.toLowerCase();

/** Every SandboxUpdateOps of the scope, what needs somebody first. */
export function UpgradesPage() {
  const t = useTranslations('upgrades');
  const all = useUpgrades();
  const filter = useTextFilter(all, haystack);
  const columns = useUpgradeColumns();
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
  const deadlocked = all.filter(({ view }) => view.phase === 'Deadlocked').length;

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
        actions={<FilterTools table={table} filter={filter} label={t('filter')} />}
      />
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
  );
}
