import 'server-only';
import type { LostSession, PoolRow, SandboxRow } from '@/lib/contracts/rows';

/** How long after the claim a controller that has not heard of it may still delete the sandbox as an old member of its pool. */
const soonMs = 5_000;
const kept = 10;

/**
 * Sessions that a rolling update took: the sandbox was claimed, and a moment later it was deleted as a member of an old revision,
 * under its user. Seen as it happened; nothing in the cluster remembers it.
 */
export class LostSessions {
  /** When each was claimed, by uid, oldest first. */
  #claims = new Map<string, number>();
  #pools = new Map<string, { count: number; last: LostSession[] }>();

  claimed({ uid }: SandboxRow, at: number): void {
    for (const [known, since] of this.#claims) if (at - since > soonMs) this.#claims.delete(known);
    this.#claims.set(uid, at);
  }

  /** The deletion of the sandbox was asked for, or it is gone. */
  deleted(row: SandboxRow, pool: PoolRow | undefined, at: number): void {
    const since = this.#claims.get(row.uid);
    this.#claims.delete(row.uid);
    if (since === undefined || at - since > soonMs || !pool || !isReplaced(row, pool)) return;
    const { count, last } = this.#pools.get(pool.uid) ?? { count: 0, last: [] };
    const lost: LostSession = { uid: row.uid, name: row.name, at, afterMs: at - since };
    if (row.owner !== undefined) lost.owner = row.owner;
    if (row.hash !== undefined) lost.hash = row.hash;
    this.#pools.set(pool.uid, { count: count + 1, last: [lost, ...last].slice(0, kept) });
  }

  of({ uid }: PoolRow): Pick<PoolRow, 'lost'> {
    const lost = this.#pools.get(uid);
    return lost ? { lost } : {};
  }

  forget({ uid }: PoolRow): void {
    this.#pools.delete(uid);
  }
}

/** The pool is on its way from the sandbox's revision to another; it deletes the first old ones before it writes its new revision. */
function isReplaced({ hash }: SandboxRow, { revision, gen, obs }: PoolRow): boolean {
  return (hash !== undefined && revision !== undefined && hash !== revision) || (gen ?? 0) > (obs ?? 0);
}
