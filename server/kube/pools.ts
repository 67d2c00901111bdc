import 'server-only';
import type { PoolRow, SandboxRow } from '@/lib/contracts/rows';
import type { Ingested } from './ingest';
import type { LostSessions } from './lost-sessions';
import type { PoolRates } from './pool-rates';
import type { Change } from './reflector';
import { projectPool } from './rows';
import type { RowTable } from './table';

export interface PoolEntry {
  row: PoolRow;
  /** What was seen to happen: the last change of the wanted size, and since when fewer are available than wanted. */
  seen: Pick<PoolRow, 'scaledAt' | 'scaledFrom' | 'belowSince'>;
}

interface Context {
  table: RowTable<'sandboxsets'>;
  rates: PoolRates;
  lost: LostSessions;
  poolOf(namespace: string, name: string): PoolEntry | undefined;
  /** The rows of sandboxes; undefined while they are not seen, and then nothing may be counted from them. */
  sandboxes(): Iterable<SandboxRow> | undefined;
  now(): number;
}

/** Rows of pools, with what only watching tells: rates, the last change of the wanted size, and how long a pool has been short. */
export class Pools {
  #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  digest(object: Ingested, before: PoolEntry | undefined, live: boolean): PoolEntry | undefined {
    const row = projectPool(object.object);
    if (!row) return undefined;
    const now = this.#context.now();
    const seen: PoolEntry['seen'] = {};
    if (before?.row.desired === row.desired) {
      if (before.seen.scaledAt !== undefined) seen.scaledAt = before.seen.scaledAt;
      if (before.seen.scaledFrom !== undefined) seen.scaledFrom = before.seen.scaledFrom;
    } else if (before && live) {
      seen.scaledAt = now;
      seen.scaledFrom = before.row.desired;
    }
    if (isShort(row)) seen.belowSince = before?.seen.belowSince ?? (before ? now : shortFrom(row, now));
    return { row, seen };
  }

  changed({ value, before }: Change<PoolEntry>): void {
    if (value) {
      this.#set(value);
    } else if (before) {
      this.#context.table.delete(before.row);
      this.#context.rates.forget(key(before.row));
      this.#context.lost.forget(before.row);
    }
  }

  /** Takes into the rows what changes without an event of the pool: its rates, and members that go while its controller is silent. */
  refresh(): void {
    const free = this.#freeMembers();
    for (const row of [...this.#context.table.rows()]) {
      const entry = this.#context.poolOf(row.ns, row.name);
      if (!entry) continue;
      const short = isShort(entry.row) || (free && (free.get(key(row)) ?? 0) < entry.row.desired);
      if (short) entry.seen.belowSince ??= this.#context.now();
      else delete entry.seen.belowSince;
      this.#set(entry);
    }
  }

  #freeMembers(): Map<string, number> | undefined {
    const sandboxes = this.#context.sandboxes();
    if (!sandboxes) return undefined;
    const free = new Map<string, number>();
    for (const { ns, pool, idle, state, locked } of sandboxes) {
      if (!idle || state !== 'Available' || locked || pool === undefined) continue;
      free.set(`${ns}/${pool}`, (free.get(`${ns}/${pool}`) ?? 0) + 1);
    }
    return free;
  }

  #set({ row, seen }: PoolEntry): void {
    const { rates, lost } = this.#context;
    this.#context.table.set({ ...row, ...seen, ...rates.of(key(row), this.#context.now()), ...lost.of(row) });
  }
}

/** By its status, which a pool without a template never gets: then nothing is available (T57). */
const isShort = (row: PoolRow) => (row.available ?? 0) < row.desired;

/** Without any status it has been short since it exists; otherwise it is only known from now on. */
const shortFrom = (row: PoolRow, now: number) => (row.available === undefined ? (row.created ?? now) : now);

const key = (row: PoolRow) => `${row.ns}/${row.name}`;
