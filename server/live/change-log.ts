import 'server-only';
import type { RowKind } from '@/lib/contracts/rows';
import type { RowChange } from '@/server/kube/table';

/** The changes of the recent past, numbered. Rows are not in it: what is sent is always the row as it is now. */
export class ChangeLog {
  /** Tells this process from others: numbers start anew with each. No dash: it separates the two in a cursor. */
  readonly epoch: string;
  #limit: number;
  /** Entry i has number #first + i. */
  #entries: RowChange[] = [];
  #first = 1;

  constructor(limit: number, epoch: string) {
    this.#limit = limit;
    this.epoch = epoch;
  }

  /** Number of the last change. */
  get head(): number {
    return this.#first + this.#entries.length - 1;
  }

  append(change: RowChange): void {
    this.#entries.push(change);
    // Cut in big pieces, so that it costs nothing a change.
    if (this.#entries.length > this.#limit * 1.25) {
      const cut = this.#entries.length - this.#limit;
      this.#entries = this.#entries.slice(cut);
      this.#first += cut;
    }
  }

  cursor(seq: number): string {
    return `${this.epoch}-${seq}`;
  }

  /** The number in a cursor, or why nothing can be said from there on. */
  read(cursor: string): number | 'restarted' | 'expired' {
    const dash = cursor.lastIndexOf('-');
    const seq = Number(cursor.slice(dash + 1));
    if (dash < 1 || cursor.slice(0, dash) !== this.epoch || !Number.isSafeInteger(seq) || seq > this.head) {
      return 'restarted';
    }
    return this.holds(seq) ? seq : 'expired';
  }

  /** Whether every change after this number is still here. */
  holds(seq: number): boolean {
    return seq >= this.#first - 1;
  }

  /** What changed after a number: each object once, by kind. */
  since(seq: number): Map<RowKind, Map<string, RowChange>> {
    const changes = new Map<RowKind, Map<string, RowChange>>();
    for (let at = Math.max(0, seq + 1 - this.#first); at < this.#entries.length; at++) {
      const change = this.#entries[at];
      if (!change) continue;
      const ofKind = changes.get(change.kind) ?? new Map<string, RowChange>();
      changes.set(change.kind, ofKind.set(change.uid, change));
    }
    return changes;
  }
}
