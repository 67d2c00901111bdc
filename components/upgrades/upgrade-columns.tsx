'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isActive, upgradePhases } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Ago, UnitBar } from '../common';
import { type DataColumn, RowLink } from '../data-table';
import { objectHref } from '../shell/navigation';
import { upgradeMembers } from './queries';
import { UpgradePhaseBadge } from './upgrade-phase';
import { useEta } from './use-eta';

const none = <span className="dim">–</span>;
/** What needs somebody comes first. */
const phaseOrder = [
  'Deadlocked',
  'Failed',
  'NotTaken',
  'DeletingWaits',
  'WaitingForOther',
  'PausedBySpec',
  'Updating',
  'Pending',
];
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
        width: 176,
        cell: (upgrade) => (
          <>
            <UpgradePhaseBadge upgrade={upgrade} />
            {upgrade.view.concerns[0] ? (
              <span className="sub" title={t(`concern.${upgrade.view.concerns[0]}.title`)}>
                {t(`concern.${upgrade.view.concerns[0]}.title`)}
              </span>
            ) : null}
          </>
        ),
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
              <OperationBar upgrade={{ op, view }} />
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
        width: 86,
        align: 'end',
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
        width: 170,
        align: 'end',
        priority: 3,
        cell: ({ view }) => <Duration view={view} />,
        sort: ({ view }) => view.elapsedMs,
      },
    ],
    [f, t],
  );
}

/** The bar of one operation. Of those that are not over it is asked, too, which are up to date already: no count has them. */
function OperationBar({ upgrade: { op, view } }: { upgrade: Upgrade }) {
  const members = useQuery({ ...upgradeMembers(op), enabled: isActive(op), refetchInterval: false }).data;
  const same = members?.leftOut.filter(({ reason }) => reason === 'upToDate').length ?? 0;
  return (
    <UnitBar thin updated={view.updated} updating={view.updating} failed={view.failed} total={view.total} same={same} />
  );
}

/** How long it has run, and how long what is left takes at the rate so far. */
function Duration({ view }: { view: Upgrade['view'] }) {
  const f = useFormats();
  const eta = useEta()(view);
  if (view.elapsedMs === undefined) return none;
  return (
    <>
      {f.coarse(view.elapsedMs)}
      {eta ? (
        <span className="sub" title={`${eta.text} · ${eta.basis}`}>
          {eta.text}
        </span>
      ) : null}
    </>
  );
}
