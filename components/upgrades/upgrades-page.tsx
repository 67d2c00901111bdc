'use client';

import { parseAsString, useQueryState } from 'nuqs';
import type { Upgrade } from '@/lib/domain/upgrade-views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState, FilteredEmpty, FilterField, PageHead, useListState } from '../common';
import { ColumnsMenu, DataTable, HeldUpdates, useDataTable, useSortParam } from '../data-table';
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
  const [text, setText] = useQueryState('q', parseAsString.withDefault(''));
  const wanted = text.trim().toLowerCase();
  const rows = wanted === '' ? all : all.filter((upgrade) => haystack(upgrade).includes(wanted));
  const columns = useUpgradeColumns();
  const [sort, onSort] = useSortParam('phase');
  const table = useDataTable({ id: 'upgrades', rows, columns, getId: idOf, sort, onSort, scope: wanted });
  const ready = useListState('sandboxupdateops') === 'ready';
  const count = (...phases: string[]) => all.filter(({ view }) => phases.includes(view.phase)).length;
  const deadlocked = count('Deadlocked');

  return (
    <>
      <PageHead
        title={t('title')}
        sub={
          ready ? (
            <>
              {t('sub.all', { count: all.length })} · {t('sub.running', { count: count('Updating', 'PausedBySpec') })}
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
            <HeldUpdates table={table} />
            <FilterField
              value={text}
              onChange={(value) => setText(value || null)}
              placeholder={t('filter')}
              width={190}
            />
            <ColumnsMenu table={table} />
          </>
        }
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
            <FilteredEmpty total={all.length} onClear={() => setText(null)} />
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
