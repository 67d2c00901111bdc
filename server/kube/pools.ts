import 'server-only';
import type { PoolRow, SandboxRow } from '@/lib/contracts/rows';
import type { InitImage } from '@/lib/domain/diagnosis/next-pod';
import { isLagging } from '@/lib/domain/pools';
import type { Ingested } from './ingest';
import type { LostSessions } from './lost-sessions';
import type { PoolRates } from './pool-rates';
import type { Change } from './reflector';
import { projectPool, specWrittenAt, withReferenced } from './rows';
import type { RowTable } from './table';

export interface PoolEntry {
  row: PoolRow;
  /** What was seen to happen: the last change of the wanted size, since when fewer are available than wanted, and the spec not looked at. */
  seen: Pick<PoolRow, 'scaledAt' | 'scaledFrom' | 'belowSince' | 'lagSince'>;
}

interface Context {
  table: RowTable<'sandboxsets'>;
  rates: PoolRates;
  lost: LostSessions;
  poolOf(namespace: string, name: string): PoolEntry | undefined;
  /** Init containers of a SandboxTemplate; null: there is none of that name. */
  templateOf(namespace: string, name: string): readonly InitImage[] | null | undefined;
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
    if (isLagging(row)) {
      const known = before?.row.obs === row.obs ? before?.seen.lagSince : undefined;
      seen.lagSince = known ?? (before ? now : lagsFrom(row, specWrittenAt(object.object), now));
    }
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

  /** A SandboxTemplate came, changed or went: what pools that refer to it pin is written there. */
  templateChanged({ namespace, name }: Pick<Change<unknown>, 'namespace' | 'name'>): void {
    for (const row of [...this.#context.table.rows()]) {
      const entry = row.ns === namespace && row.templateRef === name && this.#context.poolOf(row.ns, row.name);
      if (entry) this.#set(entry);
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
    const { rates, lost, templateOf } = this.#context;
    const referenced = row.templateRef === undefined ? undefined : templateOf(row.ns, row.templateRef);
    this.#context.table.set({
      ...withReferenced(row, referenced),
      ...seen,
      ...rates.of(key(row), this.#context.now()),
      ...lost.of(row),
    });
  }
}

/** By its status, which a pool without a template never gets: then nothing is available (T57). */
const isShort = (row: PoolRow) => (row.available ?? 0) < row.desired;

/** Without any status it has been short since it exists; otherwise it is only known from now on. */
const shortFrom = (row: PoolRow, now: number) => (row.available === undefined ? (row.created ?? now) : now);

/** When it was first seen, a spec that is not looked at is as old as it says; without any status, as the pool. */
const lagsFrom = ({ obs, created }: PoolRow, written: number | undefined, now: number) =>
  Math.min(now, written ?? (obs === undefined ? created : undefined) ?? now);

const key = (row: PoolRow) => `${row.ns}/${row.name}`;
