import 'server-only';
import type { PoolRow } from '@/lib/contracts/rows';

const bucketMs = 10_000;
const windowMs = 10 * 60_000;
/** Beside the long window: refills that stop are seen here long before they sink the average. */
const shortMs = 60_000;
const leastMs = 60_000;

type Movement = 'claims' | 'refills';
type Buckets = Map<number, Record<Movement, number>>;

/** Claims and refills per minute and pool over a sliding ten minutes, counted while they were watched. */
export class PoolRates {
  #pools = new Map<string, Buckets>();
  #watchedSince: number | undefined;

  /** Sandboxes are watched from now on; while they are, later calls change nothing. */
  begin(at: number): void {
    this.#watchedSince ??= at;
  }

  /** Sandboxes are not seen any more: what was counted before would pass for less traffic than there is. */
  interrupt(): void {
    this.#watchedSince = undefined;
    this.#pools.clear();
  }

  count(pool: string, movement: Movement, at: number): void {
    const buckets = this.#pools.get(pool) ?? new Map();
    this.#pools.set(pool, buckets);
    const slot = Math.floor(at / bucketMs);
    const bucket = buckets.get(slot) ?? { claims: 0, refills: 0 };
    buckets.set(slot, bucket);
    bucket[movement] += 1;
  }

  /** Rounded to a tenth; nothing until a minute was watched. */
  of(pool: string, now: number): Pick<PoolRow, 'claimsPerMin' | 'refillsPerMin' | 'claimsLastMin' | 'refillsLastMin'> {
    const watched = now - (this.#watchedSince ?? now);
    if (watched < leastMs) return {};
    const minutes = Math.min(watched, windowMs) / 60_000;
    const sum = { claims: 0, refills: 0 };
    const last = { claims: 0, refills: 0 };
    for (const [slot, bucket] of this.#pools.get(pool) ?? []) {
      if (slot * bucketMs <= now - windowMs) this.#pools.get(pool)?.delete(slot);
      else {
        sum.claims += bucket.claims;
        sum.refills += bucket.refills;
        if (slot * bucketMs <= now - shortMs) continue;
        last.claims += bucket.claims;
        last.refills += bucket.refills;
      }
    }
    const perMinute = (n: number) => Math.round((n / minutes) * 10) / 10;
    return {
      claimsPerMin: perMinute(sum.claims),
      refillsPerMin: perMinute(sum.refills),
      claimsLastMin: last.claims,
      refillsLastMin: last.refills,
    };
  }

  forget(pool: string): void {
    this.#pools.delete(pool);
  }
}
