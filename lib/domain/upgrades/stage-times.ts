import type { SandboxRow } from '@/lib/contracts/rows';
import { isRefusedPod } from './held-up';
import { type SandboxStage, stageOf, type UpgradeStage } from './stages';

/** A stage as the console's watch saw it; epoch ms of its server. */
export interface StageTime {
  from: number;
  /** When the next one began; absent while it lasts, and when nobody saw it end. */
  to?: number;
  /** When it failed, of one that has not gone on since. */
  failedAt?: number;
}
export type StageTimes = Partial<Record<UpgradeStage, StageTime>>;

type Steps = NonNullable<SandboxRow['steps']>;

/** Stands among steps for a time that nobody watched: what happened then is not known. */
const unwatched = 'Unwatched';

/** Steps that an earlier run of the console saw, and those that the present one does. */
export function joinSteps(earlier: Steps, later: Steps = []): Steps {
  const last = earlier.at(-1);
  const [first] = later;
  if (!last || !first) return last ? earlier : later;
  const at = later.findLastIndex(([reason, time]) => reason === last[0] && time === last[1]);
  if (at >= 0) return [...earlier, ...later.slice(at + 1)];
  const isSame = first[0] === last[0];
  // The condition's own time, by which the first may be told, is that of the upgrade, not of the stage.
  const rest = (isSame ? later.slice(1) : later).filter(([, time]) => time >= last[1]);
  return isSame ? [...earlier, ...rest] : [...earlier, [unwatched, last[1]], ...rest];
}

/**
 * When a sandbox came to each stage and left it. A stage that nobody saw is absent: a hook that runs is written nowhere, and
 * of what happened before the console watched nothing is known. Of one that was gone through twice, the last time counts.
 */
export function stageTimes(steps: SandboxRow['steps'] = []): StageTimes {
  const times: StageTimes = {};
  let current: UpgradeStage | undefined;
  let isSeen = true;
  for (const [reason, at] of steps) {
    if (reason === unwatched) {
      isSeen = false;
      continue;
    }
    const stage = stageOf(reason);
    if (stage === undefined) continue;
    const left = current === undefined ? undefined : times[current];
    if (stage === current && left) {
      if (reason.endsWith('Failed')) left.failedAt = at;
      else delete left.failedAt;
      isSeen = true;
      continue;
    }
    if (left) {
      if (isSeen) left.to = at;
      delete left.failedAt;
    }
    isSeen = true;
    times[stage] = reason.endsWith('Failed') ? { from: at, failedAt: at } : { from: at };
    current = stage;
  }
  return times;
}

/** Since when the slots of a deadlock are taken: the last failure. Undefined when one of them was not seen. */
export function fullSince(
  entries: readonly ({ row: SandboxRow; times: StageTimes; left?: object } & SandboxStage)[],
): number | undefined {
  const stands = entries.filter((one) => !one.left && (one.failed || isRefusedPod(one)));
  const times = stands.map(({ stage, times, failed }) => {
    const time = stage && times[stage];
    return failed ? time?.failedAt : time?.from;
  });
  return times.length === 0 || times.includes(undefined) ? undefined : Math.max(...times.map((time) => time ?? 0));
}
