'use client';

import { useMemo } from 'react';
import type { Upgrade } from '@/lib/domain/upgrade-views';
import { upgradePhases } from '@/lib/domain/upgrades';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Ago, UnitBar } from '../common';
import { type DataColumn, RowLink } from '../data-table';
import { objectHref } from '../shell/navigation';
import { UpgradePhaseBadge } from './upgrade-phase';

const none = <span className="dim">–</span>;
/** What needs somebody comes first. */
const phaseOrder = ['Deadlocked', 'Failed', 'NotTaken', 'WaitingForOther', 'PausedBySpec', 'Updating', 'Pending'];
const rank = new Map([...new Set([...phaseOrder, ...upgradePhases])].map((phase, index) => [phase, index]));

export function useUpgradeColumns(): DataColumn<Upgrade>[] {
  const t = useTranslations('upgrades');
  const f = useFormats();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('column.name'),
        width: 190,
        always: true,
        cell: ({ op }) => (
          <>
            <RowLink href={objectHref('upgrades', op.ns, op.name)} name={op.name} />
            <span className="sub">{op.ns}</span>
          </>
        ),
        sort: ({ op }) => `${op.name} ${op.ns}`,
      },
      {
        id: 'phase',
        header: t('column.phase'),
        width: 130,
        cell: (upgrade) => <UpgradePhaseBadge upgrade={upgrade} />,
        sort: ({ view, op }) => `${String(rank.get(view.phase)).padStart(2, '0')}${-(op.created ?? 0)}`,
        watch: ({ view }) => view.phase,
      },
      {
        id: 'progress',
        header: t('column.progress'),
        width: 167,
        cell: ({ view, op }) =>
          op.total === undefined ? (
            none
          ) : (
            <>
              <UnitBar thin updated={view.updated} updating={view.updating} failed={view.failed} total={view.total} />
              <span className="sub">
                {t.rich('progress.updated', {
                  updated: view.updated,
                  total: view.total,
                  wide: (chunk) => <span className="hide-m">{chunk}</span>,
                })}
                {view.updating > 0 ? ` · ${t('progress.updating', { count: view.updating })}` : null}
                {view.failed > 0 ? ` · ${t('progress.failed', { count: view.failed })}` : null}
              </span>
            </>
          ),
        sort: ({ view }) => (view.total === 0 ? undefined : view.updated / view.total),
        watch: ({ view }) => `${view.updated}/${view.updating}/${view.failed}/${view.total}`,
      },
      {
        id: 'strategy',
        header: t('column.strategy'),
        width: 100,
        priority: 3,
        cell: ({ op }) => <span className="mut">{op.strategy}</span>,
        sort: ({ op }) => op.strategy,
      },
      {
        id: 'limit',
        header: t('column.limit'),
        width: 76,
        priority: 3,
        cell: ({ op, view }) => (
          <span className="mut">
            {op.maxUnavailable === undefined || op.maxUnavailable === view.limit
              ? f.number(view.limit)
              : t('limit', { value: String(op.maxUnavailable), limit: view.limit })}
          </span>
        ),
        sort: ({ view }) => view.limit,
      },
      {
        id: 'failures',
        header: t('column.failures'),
        width: 130,
        priority: 2,
        cell: ({ view }) =>
          view.failures.length === 0
            ? none
            : view.failures.map(({ stage, count }) => `${f.number(count)} × ${stage}`).join(', '),
        sort: ({ view }) => view.failed,
        sortFirst: 'descending',
      },
      {
        id: 'started',
        header: t('column.started'),
        width: 84,
        align: 'end',
        priority: 2,
        cell: ({ op }) => (op.created === undefined ? none : <Ago at={op.created} />),
        sort: ({ op }) => op.created,
        sortFirst: 'descending',
      },
      {
        id: 'duration',
        header: t('column.duration'),
        width: 140,
        align: 'end',
        priority: 3,
        cell: ({ view }) => <Duration view={view} />,
        sort: ({ view }) => view.elapsedMs,
      },
    ],
    [f, t],
  );
}

/** How long it has run, and how long what is left takes at the rate so far. */
function Duration({ view }: { view: Upgrade['view'] }) {
  const t = useTranslations('upgrades');
  const f = useFormats();
  if (view.elapsedMs === undefined) return none;
  const left =
    view.etaMs === undefined || view.perMinute === undefined
      ? undefined
      : t('eta', { left: f.coarse(view.etaMs), rate: f.decimal(view.perMinute) });
  return (
    <>
      {f.coarse(view.elapsedMs)}
      {left === undefined ? null : (
        <span className="sub" title={t('etaBasis')}>
          {left}
        </span>
      )}
    </>
  );
}
