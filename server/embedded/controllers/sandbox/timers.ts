import { isConflict, isNotFound } from '../client/api';
import { objectPath, resources } from '../client/resources';
import { findCondition, timestamp } from '../rules/conditions';
import { annotation } from '../rules/keys';
import { durationMs } from '../rules/quantities';
import type { Pass } from './pass';

const hundredYearsMs = 100 * 365 * 24 * 3_600_000;

/** Acts on shutdownTime and pauseTime, or asks to be woken at the nearer one. True: the Sandbox was deleted, the pass ends. */
export async function runTimers(pass: Pass): Promise<boolean> {
  const { spec, status, metadata } = pass.sandbox;
  const recycling = findCondition(status?.conditions, 'Recycling')?.reason;
  if (status?.phase === 'Recycling' && recycling !== 'RecyclingFailed' && recycling !== 'RecyclingTimeout')
    return false;
  const now = Date.now();
  const shutdown = spec.shutdownTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(spec.shutdownTime);
  const pause = spec.pauseTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(spec.pauseTime);
  const reserve = metadata.annotations?.[annotation.reservePaused];
  const paused = spec.paused === true;
  if (shutdown < now && !(reserve !== undefined && !paused && pause <= now)) {
    try {
      await pass.deps.cluster.api.remove(objectPath(resources.sandboxes, pass.sandbox), {
        preconditions: { uid: metadata.uid },
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return true;
  }
  if (pause <= now && !paused) {
    const until = timestamp(now + (durationMs(reserve) ?? hundredYearsMs));
    const retention =
      reserve !== undefined && spec.shutdownTime !== undefined ? { shutdownTime: until, pauseTime: until } : {};
    try {
      await pass.patch({
        metadata: { resourceVersion: metadata.resourceVersion },
        spec: { paused: true, ...retention },
      });
    } catch (error) {
      if (!isConflict(error)) throw error;
      pass.requeueAfterMs = 0;
      return true;
    }
  }
  const next = Math.min(shutdown, pause > now ? pause : Number.POSITIVE_INFINITY);
  if (Number.isFinite(next)) pass.requeueAfterMs = Math.max(0, next - now) + 1;
  return false;
}
