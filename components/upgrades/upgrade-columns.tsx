'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isActive, stillFails, upgradePhases } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Ago, MiddleCut, SafeText, UnitBar } from '../common';
import { type DataColumn, RowLink } from '../data-table';
import { useNarrow } from '../sandboxes/use-narrow';
import { objectHref } from '../shell/navigation';
import { upgradeCurrent } from './queries';
import { useTook } from './took';
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
const settled = 'Completed';
/** A failed one whose sandboxes have been upgraded since needs nobody. */
const rankOf = (view: Upgrade['view']): string => {
  const phase = view.phase === 'Failed' && !stillFails(view) ? settled : view.phase;
  return String(rank.get(phase)).padStart(2, '0');
};
const latest = 8.64e15;
const newestFirst = (created = 0): string => String(latest - created).padStart(16, '0');

/** The pool of a selector that names one. */
const poolOf = (selector: string): string | undefined =>
  /^agents\.kruise\.io\/sandbox-pool=([^,]+)$/.exec(selector)?.[1];

const rank = new Map([...new Set([...phaseOrder, ...upgradePhases])].map((phase, index) => [phase, index]));

/** @param upgrades those that are listed */
export function useUpgradeColumns(upgrades: readonly Upgrade[]): DataColumn<Upgrade>[] {
  const t = useTranslations('upgrades');
  const f = useFormats();
  const narrow = useNarrow();
  const current = useQuery(upgradeCurrent(upgrades.map(({ op }) => op))).data?.counts;
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('column.name'),
        // A telephone shows the whole of the bar beside it.
        width: narrow ? 136 : 230,
        always: true,
        cell: ({ op }) => (
          <>
            <RowLink href={objectHref('upgrades', op.ns, op.name)} name={op.name} ends />
            <span className="sub">{op.ns}</span>
          </>
        ),
        sort: ({ op }) => `${op.name} ${op.ns}`,
      },
      {
        id: 'phase',
        header: t('column.phase'),
        width: narrow ? 132 : 176,
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
        sort: ({ view, op }) => `${rankOf(view)} ${newestFirst(op.created)}`,
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
              <UnitBar
                thin
                updated={view.updated}
                updating={view.updating}
                failed={view.failed}
                total={view.total}
                same={(isActive(op) && current?.[`${op.ns}/${op.name}`]) || 0}
              />
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
        id: 'change',
        header: t('column.change'),
        width: 190,
        priority: 2,
        cell: ({ op }) => (
          <>
            {op.rollsBack === undefined ? (
              <ChangeText op={op} />
            ) : (
              <>
                {t('rollsBack')} <MiddleCut text={op.rollsBack} />
              </>
            )}
            <span className="sub" title={op.selector}>
              <SafeText text={poolOf(op.selector) ?? op.selector} />
            </span>
          </>
        ),
        sort: ({ op }) => op.images?.[0]?.image ?? op.selector,
      },
      {
        id: 'strategy',
        header: t('column.strategy'),
        width: 100,
        priority: 4,
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
        width: 150,
        align: 'end',
        priority: 3,
        cell: (upgrade) => <Duration upgrade={upgrade} />,
        sort: ({ view }) => view.elapsedMs,
      },
    ],
    [f, t, current, narrow],
  );
}

/** How long it has run, and how long what is left takes at the rate so far. */
function Duration({ upgrade }: { upgrade: Upgrade }) {
  const took = useTook(upgrade);
  const eta = useEta()(upgrade.view);
  if (took === undefined) return none;
  return (
    <>
      {took}
      {eta ? (
        <span className="sub" title={`${eta.text} · ${eta.basis}`}>
          {eta.text}
        </span>
      ) : null}
    </>
  );
}

/** What the patch sets, as far as a row tells: its first image, else that there is a patch, or hooks alone. */
function ChangeText({ op }: { op: Upgrade['op'] }) {
  const t = useTranslations('upgrades');
  const [first, ...more] = op.images ?? [];
  if (!first) return t(op.hasPatch ? 'changeOther' : 'changeHooks');
  return (
    <span className="mono">
      <MiddleCut text={first.image.replace(/^.*\//, '')} />
      {more.length > 0 ? ` +${more.length}` : null}
    </span>
  );
}
