'use client';

import { History, X } from 'lucide-react';
import { useMemo } from 'react';
import type { UpgradeRow } from '@/lib/contracts/rows';
import { type UpgradeStage, upgradeStages } from '@/lib/domain/upgrades/stages';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { SafeText } from '../../common';
import { type DataColumn, RowLink } from '../../data-table';
import { ClaimedBy } from '../../sandboxes/claimed-by';
import { sandboxPath } from '../../sandboxes/paths';
import { Icon } from '../../ui';
import { cellsOf, stagesOf } from './cells';
import { Left } from './left';
import { StageMark } from './stage-cell';
import { type StageRow, saidBy } from './stage-rows';

const none = <span className="dim">–</span>;

/**
 * The stage matrix: one column a stage, in the order the controller goes through them.
 * @param hasPast some rows are of the console's record
 */
export function useStageColumns(op: UpgradeRow, hasPast: boolean): DataColumn<StageRow>[] {
  const t = useTranslations('upgrades.stages');
  const { ns, hooks, strategy, states, hasPatch } = op;
  // By value: the row of the operation changes with every count.
  const key = JSON.stringify([ns, hooks, strategy, states, hasPatch, hasPast]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for what is read of the operation
  return useMemo(() => {
    const parts = { ...(hooks ? { hooks } : {}), strategy, hasPatch, ...(states ? { states } : {}) };
    const leftColumn: DataColumn<StageRow> = {
      id: 'left',
      header: t('left.column'),
      width: 300,
      priority: 2,
      cell: ({ left }) => (left ? <Left ns={ns} left={left} /> : none),
      sort: ({ left }) => left?.at,
    };
    return [
      {
        id: 'sandbox',
        header: t('sandbox'),
        width: 170,
        always: true,
        cell: ({ row }) => <RowLink href={sandboxPath(row)} name={row.name} mono />,
        sort: ({ row }) => row.name,
      },
      {
        id: 'session',
        header: t('session'),
        width: 120,
        priority: 3,
        cell: ({ row }) => <ClaimedBy row={row} />,
        sort: ({ row }) => row.owner ?? row.claimName,
      },
      {
        id: 'node',
        header: t('node'),
        width: 90,
        priority: 4,
        cell: ({ row }) => (row.node === undefined ? none : <SafeText text={row.node} />),
        sort: ({ row }) => row.node,
      },
      ...stagesOf(parts).map(
        (stage): DataColumn<StageRow> => ({
          id: stage,
          header: stage === 'Done' ? t('done') : stage,
          width: stage === 'Done' ? 116 : 100,
          priority: stage === 'Resuming' ? 3 : 2,
          cell: (entry) => <StageMark entry={entry} stage={stage} state={cellsOf(parts, entry)[stage]} />,
          watch: (entry) => cellsOf(parts, entry)[stage],
        }),
      ),
      {
        id: 'progress',
        header: t('reached'),
        width: 170,
        cell: ({ stage, failed, waits, left, times }) => (
          <>
            {failed ? (
              <span className="only-m mr-[6px] align-[-2px]">
                <Icon icon={X} tone="breach" />
              </span>
            ) : null}
            {left ? (
              <span className="only-m mr-[6px] align-[-2px]" title={t('left.mark')}>
                <Icon icon={History} />
                <span className="vh">{t('left.mark')} </span>
              </span>
            ) : null}
            <span className="mut">
              {waits ? (
                t('waits')
              ) : stage === undefined ? (
                t('adopted')
              ) : failed && !left ? (
                <FailedAgo stage={stage} at={times[stage]?.failedAt} />
              ) : stage === 'Done' ? (
                t('done')
              ) : (
                stage
              )}
            </span>
          </>
        ),
        sort: rankOf,
        tie: ({ row }) => row.name,
      },
      ...(hasPast ? [leftColumn] : []),
      {
        id: 'message',
        header: t('message'),
        width: 220,
        priority: 2,
        cell: (entry) => {
          if (entry.unwritten) return <span className="mut">{t('unwritten')}</span>;
          const said = saidBy(entry);
          return said === undefined ? (
            none
          ) : (
            <span className="mono sm mut cut block" title={said}>
              <SafeText text={said} />
            </span>
          );
        },
      },
    ];
  }, [key, t]);
}

/** Where it failed, and how long ago, which is apart from how long it took. */
function FailedAgo({ stage, at }: { stage: UpgradeStage; at: number | undefined }) {
  const t = useTranslations('upgrades.stages');
  const f = useFormats();
  const now = useNow();
  if (at === undefined) return stage;
  return (
    <span title={t('state.failedAt', { at: f.exact(at) })}>
      {t('reachedFailed', { stage, duration: f.coarse(Math.max(0, now - at)) })}
    </span>
  );
}

/** Failures first, then by how far they have come; those that wait stand between, as they are next. */
function rankOf({ stage, failed, waits }: StageRow): number {
  if (failed) return -1;
  if (waits) return upgradeStages.length - 1.5;
  return stage === undefined ? 0 : upgradeStages.indexOf(stage);
}
