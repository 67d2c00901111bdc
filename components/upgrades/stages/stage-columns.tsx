'use client';

import { X } from 'lucide-react';
import { useMemo } from 'react';
import type { UpgradeRow } from '@/lib/contracts/rows';
import { upgradeStages } from '@/lib/domain/upgrades/stages';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { type DataColumn, RowLink } from '../../data-table';
import { ClaimedBy } from '../../sandboxes/claimed-by';
import { sandboxPath } from '../../sandboxes/paths';
import { Icon } from '../../ui';
import { cellsOf, stagesOf } from './cells';
import { StageMark } from './stage-cell';
import type { StageRow } from './stage-rows';

const none = <span className="dim">–</span>;

/** The stage matrix: one column a stage, in the order the controller goes through them. */
export function useStageColumns(op: UpgradeRow): DataColumn<StageRow>[] {
  const t = useTranslations('upgrades.stages');
  const { hooks, strategy, states } = op;
  // By value: the row of the operation changes with every count.
  const key = JSON.stringify([hooks, strategy, states]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for what is read of the operation
  return useMemo(() => {
    const parts = { ...(hooks ? { hooks } : {}), strategy, ...(states ? { states } : {}) };
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
          header: stage,
          width: stage === 'Done' ? 116 : 100,
          priority: stage === 'Resuming' ? 3 : 2,
          cell: (entry) => <StageMark entry={entry} stage={stage} state={cellsOf(parts, entry)[stage]} />,
          watch: (entry) => cellsOf(parts, entry)[stage],
        }),
      ),
      {
        id: 'progress',
        header: t('reached'),
        width: 108,
        cell: ({ stage, failed, waits }) => (
          <>
            {failed ? (
              <span className="only-m mr-[6px] align-[-2px]">
                <Icon icon={X} tone="breach" />
              </span>
            ) : null}
            <span className="mut">{waits ? t('waits') : (stage ?? t('adopted'))}</span>
          </>
        ),
        sort: rankOf,
        tie: ({ row }) => row.name,
      },
      {
        id: 'message',
        header: t('message'),
        width: 220,
        priority: 2,
        cell: ({ row, waits }) => {
          const said = waits ? undefined : (row.cause?.detail ?? row.message);
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

/** Failures first, then by how far they have come; those that wait stand between, as they are next. */
function rankOf({ stage, failed, waits }: StageRow): number {
  if (failed) return -1;
  if (waits) return upgradeStages.length - 1.5;
  return stage === undefined ? 0 : upgradeStages.indexOf(stage);
}
