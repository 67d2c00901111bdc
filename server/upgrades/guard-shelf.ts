import 'server-only';
import { randomBytes } from 'node:crypto';
import { type History, HistoryUnavailable } from '../history/database';
import { deleteGuard, loadGuards, type StoredGuard, saveGuard } from '../history/guards';

const restMs = 6_000;

/** Guards in memory, as they are or shall be in the database. */
export class GuardShelf {
  #history: History;
  #now: () => number;
  #onRecalled: () => void;
  #guards = new Map<string, StoredGuard>();
  #timers = new Set<NodeJS.Timeout>();

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
    this.#onRecalled();
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
    await saveGuard(this.#history, stored);
    this.#guards.set(id, stored);
    return id;
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
  }

  async #stored(again: () => Promise<void>, work: Promise<void>): Promise<void> {
    try {
      await work;
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
