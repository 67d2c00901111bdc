import type { Sandbox, SandboxSet } from '../client/objects';
import { label } from '../rules/keys';
import { resolveIntOrPercent } from '../rules/quantities';
import { isReady } from '../rules/state';
import type { Revision } from './revision';

/** How many to create (> 0) or delete (< 0) now; growth is held back by scaleStrategy.maxUnavailable. */
export function scaleDelta(set: SandboxSet, replicas: number, available: number): number {
  const wanted = set.spec.replicas ?? 0;
  const delta = wanted - replicas;
  const limit = resolveIntOrPercent(set.spec.scaleStrategy?.maxUnavailable, wanted);
  if (delta <= 0 || limit === undefined) return delta;
  return Math.min(delta, Math.max(limit - (replicas - available), 0));
}

/** Of the current revision; members that a controller before v0.4 made carry a hash of the template alone. */
export function isUpdated(sandbox: Sandbox, { hash, legacyHash }: Hashes): boolean {
  const own = sandbox.metadata.labels?.[label.templateHash];
  return own === hash || (own !== undefined && own === legacyHash);
}

type Hashes = Pick<Revision, 'hash' | 'legacyHash'>;

/** The order in which a shrinking pool loses members: old revisions first, then the youngest stages of life. */
export function scaleDownOrder(creating: Sandbox[], available: Sandbox[], hashes: Hashes): Sandbox[] {
  const all = [...creating, ...available];
  const rank = (sandbox: Sandbox): number => {
    if (sandbox.status?.phase === 'Pending') return 0;
    if (!isReady(sandbox)) return 2;
    return (sandbox.status?.recycledCount ?? 0) > 0 ? 1 : 3;
  };
  const age = (sandbox: Sandbox) => sandbox.metadata.creationTimestamp ?? '';
  const updated = all
    .filter((sandbox) => isUpdated(sandbox, hashes))
    .sort((a, b) => {
      const recycled = (b.status?.recycledCount ?? 0) - (a.status?.recycledCount ?? 0);
      return rank(a) - rank(b) || (rank(a) === 1 ? recycled : 0) || (age(a) < age(b) ? -1 : age(a) > age(b) ? 1 : 0);
    });
  return [...all.filter((sandbox) => !isUpdated(sandbox, hashes)), ...updated];
}

/** Old members that a rolling update deletes now: all that are still creating, and available ones within the budget, oldest first. */
export function rollingUpdateVictims(
  set: SandboxSet,
  creating: Sandbox[],
  available: Sandbox[],
  hashes: Hashes,
): Sandbox[] {
  const old = (sandbox: Sandbox) => !isUpdated(sandbox, hashes);
  const limit = resolveIntOrPercent(set.spec.updateStrategy?.maxUnavailable ?? '20%', set.spec.replicas ?? 0) ?? 0;
  const budget = Math.max(0, limit - creating.filter((sandbox) => !old(sandbox)).length);
  const oldest = available
    .filter(old)
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1));
  return [...creating.filter(old), ...oldest.slice(0, budget)];
}
