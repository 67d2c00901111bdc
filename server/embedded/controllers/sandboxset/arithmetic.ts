import type { Sandbox, SandboxSet } from '../client/objects';
import { label } from '../rules/keys';
import { resolveIntOrPercent } from '../rules/quantities';
import { isReady } from '../rules/state';

/** How many to create (> 0) or delete (< 0) now; growth is held back by scaleStrategy.maxUnavailable. */
export function scaleDelta(set: SandboxSet, replicas: number, available: number): number {
  const wanted = set.spec.replicas ?? 0;
  const delta = wanted - replicas;
  const limit = resolveIntOrPercent(set.spec.scaleStrategy?.maxUnavailable, wanted);
  if (delta <= 0 || limit === undefined) return delta;
  return Math.min(delta, Math.max(limit - (replicas - available), 0));
}

export const isUpdated = (sandbox: Sandbox, hash: string): boolean =>
  sandbox.metadata.labels?.[label.templateHash] === hash;

/** The order in which a shrinking pool loses members: old revisions first, then the youngest stages of life. */
export function scaleDownOrder(creating: Sandbox[], available: Sandbox[], hash: string): Sandbox[] {
  const all = [...creating, ...available];
  const rank = (sandbox: Sandbox): number => {
    if (sandbox.status?.phase === 'Pending' || sandbox.status?.phase === undefined) return 0;
    if (!isReady(sandbox)) return 2;
    return (sandbox.status.recycledCount ?? 0) > 0 ? 1 : 3;
  };
  const age = (sandbox: Sandbox) => sandbox.metadata.creationTimestamp ?? '';
  const updated = all
    .filter((sandbox) => isUpdated(sandbox, hash))
    .sort((a, b) => {
      const recycled = (b.status?.recycledCount ?? 0) - (a.status?.recycledCount ?? 0);
      return rank(a) - rank(b) || (rank(a) === 1 ? recycled : 0) || (age(a) < age(b) ? -1 : age(a) > age(b) ? 1 : 0);
    });
  return [...all.filter((sandbox) => !isUpdated(sandbox, hash)), ...updated];
}

/** Old members that a rolling update deletes now: all that are still creating, and available ones within the budget, oldest first. */
export function rollingUpdateVictims(
  set: SandboxSet,
  creating: Sandbox[],
  available: Sandbox[],
  hash: string,
): Sandbox[] {
  const old = (sandbox: Sandbox) => !isUpdated(sandbox, hash);
  const limit = resolveIntOrPercent(set.spec.updateStrategy?.maxUnavailable ?? '20%', set.spec.replicas ?? 0) ?? 0;
  const budget = Math.max(0, limit - creating.filter((sandbox) => !old(sandbox)).length);
  const oldest = available
    .filter(old)
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1));
  return [...creating.filter(old), ...oldest.slice(0, budget)];
}
