import 'server-only';
import type { PoolRow } from '@/lib/contracts/rows';
import type { Ingested } from './ingest';
import type { PoolRates } from './pool-rates';
import type { Change } from './reflector';
import { projectPool } from './rows';
import type { RowTable } from './table';

export interface PoolEntry {
  row: PoolRow;
  scaled: Pick<PoolRow, 'scaledAt' | 'scaledFrom'>;
}

interface Context {
  table: RowTable<'sandboxsets'>;
  rates: PoolRates;
  poolOf(namespace: string, name: string): PoolEntry | undefined;
  now(): number;
}

/** Rows of pools, with what only watching tells: rates, and the last change of the wanted size. */
export class Pools {
  #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  digest(object: Ingested, before: PoolEntry | undefined, live: boolean): PoolEntry | undefined {
    const row = projectPool(object.object);
    if (!row) return undefined;
    if (!before || before.row.desired === row.desired) return { row, scaled: before?.scaled ?? {} };
    return { row, scaled: live ? { scaledAt: this.#context.now(), scaledFrom: before.row.desired } : {} };
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

  #set({ row, scaled }: PoolEntry): void {
    this.#context.table.set({ ...row, ...scaled, ...this.#context.rates.of(key(row), this.#context.now()) });
  }
}

const key = (row: PoolRow) => `${row.ns}/${row.name}`;
