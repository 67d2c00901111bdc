import type { SandboxRow } from '@/lib/contracts/rows';
import { stageOf, type UpgradeStage } from './stages';

/** A stage as the console's watch saw it; epoch ms of its server. */
export interface StageTime {
  from: number;
  /** When the next one began; absent while it lasts. */
  to?: number;
  /** When it failed, of one that has not gone on since. */
  failedAt?: number;
}
export type StageTimes = Partial<Record<UpgradeStage, StageTime>>;

/**
 * When a sandbox came to each stage and left it. A stage that nobody saw is absent: a hook that runs is written nowhere, and
 * of what happened before the console watched nothing is known. Of one that was gone through twice, the last time counts.
 */
export function stageTimes(steps: SandboxRow['steps'] = []): StageTimes {
  const times: StageTimes = {};
  let current: UpgradeStage | undefined;
  for (const [reason, at] of steps) {
    const stage = stageOf(reason);
    if (stage === undefined) continue;
    const left = current === undefined ? undefined : times[current];
    if (stage === current && left) {
      if (reason.endsWith('Failed')) left.failedAt = at;
      else delete left.failedAt;
      continue;
    }
    if (left) {
      left.to = at;
      delete left.failedAt;
    }
    times[stage] = reason.endsWith('Failed') ? { from: at, failedAt: at } : { from: at };
    current = stage;
  }
  return times;
}
