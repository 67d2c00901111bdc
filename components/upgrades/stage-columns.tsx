'use client';

import { Check, Minus, RotateCw, X } from 'lucide-react';
import { useMemo } from 'react';
import type { UpgradeRow } from '@/lib/contracts/rows';
import { dwellOf } from '@/lib/domain/severity';
import { type StageCell, stageCells, type UpgradeStage, type UpgradeView, upgradeStages } from '@/lib/domain/upgrades';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { SafeText } from '../common';
import { type DataColumn, RowLink } from '../data-table';
import { ClaimedBy } from '../sandboxes/claimed-by';
import { sandboxPath } from '../sandboxes/paths';
import { Icon } from '../ui';

export type StageRow = UpgradeView['sandboxes'][number];

/** The stage matrix: one column a stage, in the order the controller goes through them. */
export function useStageColumns(op: UpgradeRow): DataColumn<StageRow>[] {
  const t = useTranslations('upgrades.stages');
  return useMemo(() => {
    const shown = upgradeStages.filter((stage) => stage !== 'Checkpoint' || op.strategy === 'CheckpointRestore');
    return [
      {
        id: 'sandbox',
        header: t('sandbox'),
        width: 160,
        always: true,
        cell: ({ row }) => <RowLink href={sandboxPath(row)} name={row.name} mono />,
        sort: ({ row }) => row.name,
      },
      {
        id: 'session',
        header: t('session'),
        width: 130,
        priority: 3,
        cell: ({ row }) => <ClaimedBy row={row} />,
        sort: ({ row }) => row.owner ?? row.claimName,
      },
      ...shown.map(
        (stage): DataColumn<StageRow> => ({
          id: stage,
          header: stage,
          width: 100,
          priority: stage === 'Resuming' ? 3 : 2,
          cell: (row) => <Stage row={row} stage={stage} state={stageCells(op, row)[stage]} />,
          watch: (row) => stageCells(op, row)[stage],
        }),
      ),
      {
        id: 'progress',
        header: t('reached'),
        width: 108,
        cell: ({ stage, failed }) => (
          <>
            {failed ? (
              <span className="only-m mr-[6px] align-[-2px]">
                <Icon icon={X} tone="breach" />
              </span>
            ) : null}
            <span className="mut">{stage ?? '–'}</span>
          </>
        ),
        // Failures first, then by how far they have come.
        sort: ({ stage, failed }) => (failed ? -1 : stage === undefined ? 99 : upgradeStages.indexOf(stage)),
      },
      {
        id: 'message',
        header: t('message'),
        width: 220,
        priority: 2,
        cell: ({ row }) => {
          const said = row.message ?? row.cause?.detail;
          return said === undefined ? (
            <span className="dim">–</span>
          ) : (
            <span className="mut cut block" title={said}>
              <SafeText text={said} />
            </span>
          );
        },
      },
    ];
  }, [op, t]);
}

const icons = { running: RotateCw, passed: Check, failed: X, 'not-reached': Minus, skipped: Minus };

/** The dwell is that of the whole upgrade: the condition's time does not move from stage to stage. */
function Stage({ row: { row }, stage, state }: { row: StageRow; stage: UpgradeStage; state: StageCell }) {
  const t = useTranslations('upgrades.stages.state');
  const f = useFormats();
  const now = useNow();
  if (state === 'not-reached' || state === 'skipped') {
    return (
      <span className="mx dim" title={t(state)}>
        –<span className="vh"> {t(state)}</span>
      </span>
    );
  }
  const { ms } = dwellOf(row, now);
  const timed = (state === 'running' || state === 'failed') && ms !== undefined;
  return (
    <span className="mx">
      <span className="c" data-tone={state === 'failed' ? 'breach' : undefined} title={timed ? t('clock') : t(state)}>
        <Icon
          icon={icons[state]}
          tone={state === 'failed' ? 'breach' : state === 'passed' && stage === 'Done' ? 'ok' : undefined}
        />
        <span>{timed ? f.duration(ms) : t(state)}</span>
      </span>
    </span>
  );
}
