'use client';

import { useState } from 'react';
import { Button } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Cohort } from '@/lib/domain/cohorts';
import { useTranslations } from '@/lib/i18n/use-translations';
import { StoppedClock } from '@/lib/live';
import { PhaseReplay, SandboxWaterfall, StageDurations } from '../history';

/** Stays of one sandbox that are shown at first. */
const lastStays = 10;

/** Where the time of a cohort goes, what the one that is explained did, and, when asked for, how its pool came here. */
export function Charts({
  cohort,
  row,
  goneAt,
}: {
  cohort: Cohort;
  row: SandboxRow | undefined;
  goneAt: number | undefined;
}) {
  const t = useTranslations('timing');
  const [replay, setReplay] = useState(false);
  const { ns, pool, state, rows } = cohort;
  return (
    <div className="late">
      <StageDurations ns={ns} pool={pool} state={state} rows={rows} />
      {row ? (
        <StoppedClock value={goneAt}>
          <SandboxWaterfall
            key={row.uid}
            row={row}
            title={t('waterfall.titleOf', { name: row.name })}
            last={lastStays}
          />
        </StoppedClock>
      ) : null}
      {pool === undefined ? null : replay ? (
        <PhaseReplay key={`${ns}/${pool}`} ns={ns} pool={pool} />
      ) : (
        <p className="sec px-[var(--gutter)] py-3">
          <Button size="sm" onClick={() => setReplay(true)}>
            {t('replay.open', { pool })}
          </Button>
        </p>
      )}
    </div>
  );
}
