import 'server-only';
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type History, HistoryUnavailable } from '../history/database';
import { deleteGuard, loadGuards, type StoredGuard, saveGuard, takeTurn } from '../history/guards';
import { log } from '../log';

const restMs = 6_000;
/** Another console on the same database may have set, changed or removed some. */
const readEveryMs = 3_000;

/** Guards in memory, as they are or shall be in the database. */
export class GuardShelf {
  #history: History;
  #now: () => number;
  #onRecalled: () => void;
  #guards = new Map<string, StoredGuard>();
  #timers = new Set<NodeJS.Timeout>();
  #reading: NodeJS.Timeout | undefined;
  /** Changes of this process that are being stored, and how many there have been. */
  #storing = 0;
  #changes = 0;

  constructor(history: History, now: () => number, onRecalled: () => void) {
    this.#history = history;
    this.#now = now;
    this.#onRecalled = onRecalled;
  }

  /** Takes up what is stored; while the database is away, again and again. */
  async recall(): Promise<void> {
    const found = await loadGuards(this.#history).catch((error: unknown) => {
      if (!(error instanceof HistoryUnavailable)) throw error;
      this.#later(() => this.recall());
    });
    if (!found) return;
    for (const guard of found) this.#guards.set(guard.id, guard);
    this.#reading ??= setInterval(() => void this.#readAgain(), readEveryMs).unref();
    this.#onRecalled();
  }

  /**
   * Becomes what the database holds by now. While that is away, or something of this process is on its way into it, what is
   * known here counts.
   */
  async refresh(): Promise<void> {
    const changes = this.#changes;
    const found = await loadGuards(this.#history).catch((error: unknown) => {
      if (!(error instanceof HistoryUnavailable)) throw error;
    });
    if (!found || changes !== this.#changes || this.#storing + this.#timers.size > 0) return;
    const stored = new Map(found.map((guard) => [guard.id, guard]));
    let isOther = false;
    for (const id of this.#guards.keys()) if (!stored.has(id)) isOther = this.#guards.delete(id);
    for (const [id, guard] of stored) {
      const known = this.#guards.get(id);
      if (known && isDeepStrictEqual(known, guard)) continue;
      isOther = true;
      if (!known) this.#guards.set(id, guard);
      else {
        // It stays the same object: something may be under way for it.
        delete known.firedAt;
        delete known.problem;
        Object.assign(known, guard);
      }
    }
    if (isOther) this.#onRecalled();
  }

  all(): Iterable<StoredGuard> {
    return this.#guards.values();
  }

  get(id: string): StoredGuard | undefined {
    return this.#guards.get(id);
  }

  /** A new guard counts when it is stored. @throws {HistoryUnavailable} */
  async put(guard: Omit<StoredGuard, 'id' | 'state' | 'setAt'>): Promise<string> {
    const id = `g-${randomBytes(8).toString('hex')}`;
    const stored: StoredGuard = { ...guard, id, state: 'armed', setAt: this.#now() };
    await this.#changing(saveGuard(this.#history, stored).then(() => void this.#guards.set(id, stored)));
    return id;
  }

  /** Whether this process is the one that acts for it now; while the database is away, each of them is. */
  async takeTurn(guard: StoredGuard): Promise<boolean> {
    try {
      return await takeTurn(this.#history, guard.id, this.#now());
    } catch (error) {
      if (!(error instanceof HistoryUnavailable)) throw error;
      return true;
    }
  }

  /** What has become of it. What cannot be stored now counts all the same, and is stored later. */
  async save(guard: StoredGuard): Promise<void> {
    if (this.#guards.has(guard.id)) await this.#stored(() => this.save(guard), saveGuard(this.#history, guard));
  }

  async drop(guard: StoredGuard): Promise<void> {
    this.#guards.delete(guard.id);
    await this.#stored(() => this.drop(guard), deleteGuard(this.#history, guard.id));
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    clearInterval(this.#reading);
  }

  async #readAgain(): Promise<void> {
    await this.refresh().catch((error: unknown) => log.error({ key: 'guard.fault', err: error }));
  }

  async #changing(work: Promise<void>): Promise<void> {
    this.#changes += 1;
    this.#storing += 1;
    try {
      await work;
    } finally {
      this.#storing -= 1;
      this.#changes += 1;
    }
  }

  async #stored(again: () => Promise<void>, work: Promise<void>): Promise<void> {
    try {
      await this.#changing(work);
    } catch (error) {
      if (!(error instanceof HistoryUnavailable)) throw error;
      this.#later(again);
    }
  }

  #later(work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void work();
    }, restMs).unref();
    this.#timers.add(timer);
  }
}
