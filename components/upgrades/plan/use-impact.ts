import { useMemo } from 'react';
import { batchPlan } from '@/lib/domain/upgrades/batches';
import { useUpgrades } from '../use-upgrade-views';
import { estimatedMs, type Impact, impactOf } from './impact';
import type { Planning } from './planning';
import { useSessions } from './use-sessions';

/** Without an earlier operation to judge by, deadlines within this are worth a word. */
const lookAheadMs = 3_600_000;
const none: never[] = [];

/** Whom the planned operation meets, and how long it may take by the operations that the namespace has seen. */
export function useImpact({ form, limit, preview }: Planning): Impact & {
  /** Undefined: no finished operation to judge by. */
  windowMs: number | undefined;
  /** How many it was judged by. */
  judgedBy: number;
} {
  const upgrades = useUpgrades();
  const sessionOf = useSessions();
  const { reply } = preview;
  const targets = reply?.targets ?? none;
  const time = reply?.time ?? 0;
  const earlier = useMemo(
    () =>
      upgrades
        .filter(({ op, view }) => op.ns === form.namespace && view.phase === 'Completed')
        .map(({ view }) => ({ elapsedMs: view.elapsedMs ?? 0, total: view.total, limit: view.limit })),
    [upgrades, form.namespace],
  );
  const windowMs = estimatedMs(batchPlan(limit, targets.length).batches, earlier);
  const impact = useMemo(
    () => impactOf(targets, time + (windowMs ?? lookAheadMs), sessionOf),
    [targets, time, windowMs, sessionOf],
  );
  return { ...impact, windowMs, judgedBy: earlier.length };
}
