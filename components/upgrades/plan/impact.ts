import type { UpgradeTarget } from '@/lib/contracts/upgrade-preview';

/** Whom an operation meets. */
export type Impact = {
  claimed: number;
  /** Claimed ones by whose session it is, most first; where nobody is known under `undefined`. */
  sessions: { session: string | undefined; count: number }[];
  /** Paused ones, which are resumed, rebuilt and paused again. */
  paused: number;
  /** Those whose spec.shutdownTime comes before the operation has ended, the next one first. */
  ending: (UpgradeTarget & { shutdownAt: number })[];
};

/**
 * @param until epoch ms up to which a deadline counts
 * @param sessionOf who uses a sandbox
 */
export function impactOf(
  targets: readonly UpgradeTarget[],
  until: number,
  sessionOf: (target: UpgradeTarget) => string | undefined,
): Impact {
  const sessions = new Map<string | undefined, number>();
  for (const target of targets) {
    if (!target.claimed) continue;
    const session = sessionOf(target);
    sessions.set(session, (sessions.get(session) ?? 0) + 1);
  }
  return {
    claimed: targets.filter(({ claimed }) => claimed).length,
    sessions: [...sessions].map(([session, count]) => ({ session, count })).sort((a, b) => b.count - a.count),
    paused: targets.filter(({ phase }) => phase === 'Paused').length,
    ending: targets
      .flatMap((target) => (target.shutdownAt === undefined ? [] : [{ ...target, shutdownAt: target.shutdownAt }]))
      .filter(({ shutdownAt }) => shutdownAt <= until)
      .sort((a, b) => a.shutdownAt - b.shutdownAt),
  };
}

/** A finished operation: how long it took, and in how many batches. */
export type Finished = { elapsedMs: number; total: number; limit: number };

/**
 * How long an operation of so many batches may take, judging by the median batch of earlier ones; undefined without any.
 * Batches overlap in truth, so this is a guess to plan by, not a promise.
 */
export function estimatedMs(batches: number, earlier: readonly Finished[]): number | undefined {
  const each = earlier
    .filter(({ total, limit, elapsedMs }) => total > 0 && limit > 0 && elapsedMs > 0)
    .map(({ elapsedMs, total, limit }) => elapsedMs / Math.ceil(total / limit))
    .sort((a, b) => a - b);
  const median = each[Math.floor(each.length / 2)];
  return median === undefined ? undefined : median * batches;
}

/** What became of a list between two looks, by uid. */
export function listChanges<T extends { uid: string }>(before: readonly T[], now: readonly T[]) {
  const had = new Set(before.map(({ uid }) => uid));
  const has = new Set(now.map(({ uid }) => uid));
  return {
    added: now.filter(({ uid }) => !had.has(uid)),
    missing: before.filter(({ uid }) => !has.has(uid)),
  };
}
