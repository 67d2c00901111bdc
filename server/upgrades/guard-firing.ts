import 'server-only';
import type { UpgradeRow } from '@/lib/contracts/rows';
import { type Reached, reachedLimit } from '@/lib/domain/upgrades/guard-limits';
import { isActive } from '@/lib/domain/upgrades/view';
import type { StoredGuard } from '../history/guards';
import type { GuardShelf } from './guard-shelf';
import { Retries } from './retries';

export type FiringParts = {
  shelf: GuardShelf;
  now: () => number;
  rowOf: (opUid: string) => UpgradeRow | undefined;
  pause: (guard: StoredGuard, op: UpgradeRow, reached: Reached) => Promise<'paused' | 'over' | { problem: string }>;
  /** Begins now what may be done for the guard; false: it is busy, and will be judged anew afterwards. */
  begin: (guard: StoredGuard, work: () => Promise<void>) => boolean;
};

/** Pauses an operation whose limit is reached; what is refused is tried again, with longer and longer waits. */
export class Firing {
  #parts: FiringParts;
  #retries = new Retries();

  constructor(parts: FiringParts) {
    this.#parts = parts;
  }

  /** While a retry waits its turn, further changes do not hurry it. */
  look(guard: StoredGuard, op: UpgradeRow): void {
    const reached = op.deleting === undefined && reachedLimit(guard.limits, op);
    if (reached && !this.#retries.isFailing(guard.id)) {
      this.#parts.begin(guard, () => this.#fire(guard, op));
    }
  }

  forget(guard: StoredGuard): void {
    this.#retries.forget(guard.id);
  }

  stop(): void {
    this.#retries.stop();
  }

  async #fire(guard: StoredGuard, op: UpgradeRow): Promise<void> {
    const { shelf, pause, now } = this.#parts;
    // On another console somebody may have removed or changed it since, or that console has acted.
    await shelf.refresh();
    const isWanted = shelf.get(guard.id) === guard && guard.state !== 'fired';
    const reached = isWanted && reachedLimit(guard.limits, op);
    if (!reached) return this.forget(guard);
    // What another console does for it now is looked at again when that has had time to end.
    if (!op.paused && !(await shelf.takeTurn(guard))) return this.#later(guard, op);
    const result = op.paused ? 'paused' : await pause(guard, op, reached);
    if (result === 'over') {
      this.forget(guard);
      return shelf.drop(guard);
    }
    guard.firedAt = now();
    if (result === 'paused') {
      guard.state = 'fired';
      delete guard.problem;
      this.forget(guard);
    } else {
      guard.state = 'failed';
      guard.problem = result.problem;
      this.#later(guard, op);
    }
    await shelf.save(guard);
  }

  #later(guard: StoredGuard, { uid }: UpgradeRow): void {
    this.#retries.later(guard.id, () => this.#fireAgain(guard, uid));
  }

  #fireAgain(guard: StoredGuard, opUid: string): void {
    const { shelf, rowOf, begin } = this.#parts;
    const row = rowOf(opUid);
    const still = row && shelf.get(guard.id) && isActive(row) && reachedLimit(guard.limits, row);
    // Failures are not forgotten: the next wait is the longer one.
    if (still && begin(guard, () => this.#fire(guard, row))) return;
    this.forget(guard);
  }
}
