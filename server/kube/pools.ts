import 'server-only';
import type { PoolRow } from '@/lib/contracts/rows';
import type { Ingested } from './ingest';
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
  poolOf(namespace: string, name: string): PoolEntry | undefined;
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
    if (row.available !== undefined && row.available < row.desired) seen.belowSince = before?.seen.belowSince ?? now;
    return { row, seen };
  }

  changed({ value, before }: Change<PoolEntry>): void {
    if (value) {
      this.#set(value);
    } else if (before) {
      this.#context.table.delete(before.row);
      this.#context.rates.forget(key(before.row));
    }
  }

  /** Takes the present rates into the rows. */
  refreshRates(): void {
    for (const row of [...this.#context.table.rows()]) {
      const entry = this.#context.poolOf(row.ns, row.name);
      if (entry) this.#set(entry);
    }
  }

  #set({ row, seen }: PoolEntry): void {
    this.#context.table.set({ ...row, ...seen, ...this.#context.rates.of(key(row), this.#context.now()) });
  }
}

const key = (row: PoolRow) => `${row.ns}/${row.name}`;
