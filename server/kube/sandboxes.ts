import 'server-only';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { PodDigest } from '@/lib/domain/facts';
import { type ObservedState, timedStateOf } from '@/lib/domain/sandbox-state';
import { type Ingested, retained } from './ingest';
import type { PoolRates } from './pool-rates';
import type { Change } from './reflector';
import { projectSandbox } from './rows';
import type { RowTable } from './table';

/** What is kept of a sandbox: enough to make its row again when its Pod changes. */
export interface SandboxEntry {
  text: string;
  row: SandboxRow;
  /** The Pod that the row was made with. */
  pod: PodDigest | undefined;
  /** When this process first saw the present state. */
  observed: ObservedState;
}

interface Context {
  table: RowTable<'sandboxes'>;
  rates: PoolRates;
  podOf(namespace: string, name: string): PodDigest | undefined;
  sandboxOf(namespace: string, name: string): SandboxEntry | undefined;
  now(): number;
}

/** Rows of sandboxes: a Sandbox joined with the Pod of its name. */
export class Sandboxes {
  #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  digest(object: Ingested, before: SandboxEntry | undefined): SandboxEntry | undefined {
    const pod = this.#context.podOf(object.namespace, object.name);
    const projected = this.#project(object.object, pod, before);
    return projected && { text: retained(object.object), pod, ...projected };
  }

  changed({ namespace, name, value, before, live }: Change<SandboxEntry>): void {
    if (!value) {
      if (before) this.#context.table.delete(before.row);
      return;
    }
    this.#context.table.set(value.row);
    if (live) this.#count(before?.row, value.row);
    // A list takes a while to come in; meanwhile the Pod may have moved on.
    const pod = this.#context.podOf(namespace, name);
    if (pod !== value.pod) this.#join(value, pod);
  }

  /** The Pod of a sandbox came, changed or went. */
  podChanged({ namespace, name, value }: Change<PodDigest>): void {
    const entry = this.#context.sandboxOf(namespace, name);
    if (entry) this.#join(entry, value);
  }

  /** Nothing is counted here: a Pod tells why its sandbox does not move, never its state. */
  #join(entry: SandboxEntry, pod: PodDigest | undefined): void {
    const projected = this.#project(JSON.parse(entry.text), pod, entry);
    if (!projected) return;
    Object.assign(entry, projected, { pod });
    this.#context.table.set(entry.row);
  }

  /**
   * A state whose start no condition tells lasts since it was first seen, at least. A list counts as seeing, too:
   * without a start the row would never be overdue, however long it hangs.
   */
  #project(
    object: unknown,
    pod: PodDigest | undefined,
    before: Pick<SandboxEntry, 'row' | 'observed'> | undefined,
  ): Pick<SandboxEntry, 'row' | 'observed'> | undefined {
    const row = projectSandbox(object, pod, before?.observed);
    if (!row) return undefined;
    if (before && timedStateOf(before.row) === timedStateOf(row)) return { row, observed: before.observed };
    const observed = { state: timedStateOf(row), at: this.#context.now() };
    return { row: projectSandbox(object, pod, observed) ?? row, observed };
  }

  #count(before: SandboxRow | undefined, after: SandboxRow): void {
    const pool = (row: SandboxRow) => `${row.ns}/${row.pool}`;
    if (before?.idle && !after.idle && after.claimed) {
      this.#context.rates.count(pool(before), 'claims', this.#context.now());
    }
    if (after.idle && after.state === 'Available' && before?.state !== 'Available') {
      this.#context.rates.count(pool(after), 'refills', this.#context.now());
    }
  }
}
