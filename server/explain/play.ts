import type { PodDigest } from '@/lib/domain/facts';
import { standardLimits } from '@/lib/domain/limits';
import { poolStats } from '@/lib/domain/pools';
import { type ObservedState, timedStateOf } from '@/lib/domain/sandbox-state';
import { digestPod, projectPool, projectSandbox } from '@/server/kube/rows';
import type { Recording } from './recording';
import { keyOf, noObjects, type Plural, plurals, readObject, type World, type WorldObject } from './world';

/**
 * What somebody who watched a recording has in hand, event after event: the same world at each turn, changed.
 * It observes as the console does: when a sandbox came into its state, when a pool fell short or was scaled.
 */
export function* playRecording({ start, events }: Recording): Generator<World & { t: number }> {
  const watch = new Watcher();
  for (const { t, kind, type, object } of events) {
    const now = start + t * 1000;
    const read = readObject(object);
    if (isPlural(kind) && read) watch.see(kind, read, type === 'DELETED', now);
    yield { ...watch.world, now, skew: 0, t };
  }
}

/** The world of a recording after so many seconds; after its last event without them. */
export function worldAt(recording: Recording, seconds = Number.POSITIVE_INFINITY): World {
  let now = recording.start;
  const watch = new Watcher();
  for (const { t, kind, type, object } of recording.events) {
    if (t > seconds) continue;
    now = Math.max(now, recording.start + t * 1000);
    const read = readObject(object);
    if (isPlural(kind) && read) watch.see(kind, read, type === 'DELETED', recording.start + t * 1000);
  }
  return { ...watch.world, now: Number.isFinite(seconds) ? recording.start + seconds * 1000 : now, skew: 0 };
}

const isPlural = (kind: string): kind is Plural => plurals.some((plural) => plural === kind);

/** Recordings follow these; of nodes and autoscalers they know nothing. */
const recorded: ReadonlySet<Plural> = new Set(plurals.filter((kind) => kind !== 'nodes' && kind !== 'poolautoscalers'));

/** Somebody who sees every change of a cluster, and keeps what is there and since when. */
export class Watcher {
  #objects = noObjects();
  #observed = new Map<string, ObservedState>();
  #changed = new Map<string, number>();
  #below = new Map<string, number>();
  #scaled = new Map<string, number>();
  #digests = new Map<string, PodDigest>();

  get world(): Omit<World, 'now' | 'skew'> {
    return {
      objects: this.#objects,
      complete: recorded,
      observed: this.#observed,
      changed: this.#changed,
      below: this.#below,
      scaled: this.#scaled,
    };
  }

  see(kind: Plural, object: WorldObject, gone: boolean, now: number): void {
    const key = keyOf(object);
    const before = this.#objects[kind].get(key);
    if (gone) this.#objects[kind].delete(key);
    else this.#objects[kind].set(key, object);
    this.#changed.set(object.metadata.uid, now);
    if (kind === 'pods') {
      const digest = gone ? undefined : digestPod(object);
      if (digest) this.#digests.set(key, digest);
      else this.#digests.delete(key);
    }
    if (kind === 'sandboxes' || kind === 'pods') this.#observe(key, now);
    if (kind === 'sandboxsets' && !gone) this.#scaledAt(object, before, now);
    if (kind === 'sandboxes' || kind === 'sandboxsets') this.#shortages(now);
  }

  #observe(key: string, now: number): void {
    const row = projectSandbox(this.#objects.sandboxes.get(key), this.#digests.get(key));
    if (!row) this.#observed.delete(key);
    else if (this.#observed.get(key)?.state !== timedStateOf(row)) {
      this.#observed.set(key, { state: timedStateOf(row), at: now });
    }
  }

  #scaledAt(object: WorldObject, before: WorldObject | undefined, now: number): void {
    if (before && projectPool(before)?.desired !== projectPool(object)?.desired) this.#scaled.set(keyOf(object), now);
  }

  #shortages(now: number): void {
    for (const [key, object] of this.#objects.sandboxsets) {
      const pool = projectPool(object);
      if (!pool) continue;
      const members = [...this.#objects.sandboxes].flatMap(([name, each]) => {
        const row = projectSandbox(each, this.#digests.get(name));
        return row?.idle && row.pool === pool.name ? [row] : [];
      });
      if (poolStats(pool, members, now, standardLimits).available >= pool.desired) this.#below.delete(key);
      else if (!this.#below.has(key)) this.#below.set(key, now);
    }
  }
}
