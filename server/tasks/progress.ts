import 'server-only';
import type { OutputChunk, StepName, TaskNote, TaskSandbox, TaskStep } from '@/lib/contracts/tasks';
import { Ledger } from './ledger';
import { type Counts, Output } from './output';
import type { TaskRecord } from './record';
import type { TaskStore } from './store';

/** Hears of everything that happens to a task. */
export type TaskListener = { changed(record: TaskRecord): void; printed(chunks: readonly OutputChunk[]): void };

/** Of what is in the database, how much it is and its end. */
export type StoredOutput = { counts: Counts; tail: readonly OutputChunk[] };
const nothing: Counts = { chunks: 0, outBytes: 0, errBytes: 0 };

/** How far a task has come, told to who listens and brought to the database. */
export class Progress {
  record: TaskRecord;
  output: Output | undefined;
  readonly ledger: Ledger;
  readonly now: () => number;
  #listeners = new Set<TaskListener>();

  /** @param taken another process has taken it over */
  constructor(record: TaskRecord, store: TaskStore, runner: string, now: () => number, taken: () => void) {
    this.record = record;
    this.now = now;
    this.ledger = new Ledger(store, record.id, runner, taken);
  }

  listen(listener: TaskListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(change: Partial<TaskRecord>): void {
    const output = this.output ? { ...this.output.counts } : this.record.output;
    this.record = { ...this.record, ...change, output, version: this.record.version + 1 };
    this.ledger.save(this.record);
    for (const listener of this.#listeners) listener.changed(this.record);
  }

  step(name: StepName): TaskStep {
    return this.record.steps.find((step) => step.name === name) ?? { name, state: 'todo' };
  }

  setStep(name: StepName, change: Partial<TaskStep>): void {
    this.change({ steps: this.record.steps.map((step) => (step.name === name ? { ...step, ...change } : step)) });
  }

  /** Of these, those that were not begun will not be, and what goes on does no more. */
  skip(names: readonly StepName[]): void {
    for (const name of names) {
      const { state } = this.step(name);
      if (state === 'todo') this.setStep(name, { state: 'skipped' });
      if (state === 'running') this.setStep(name, { state: 'failed', endedAt: this.now() });
    }
  }

  /** Said once. */
  note(code: TaskNote['code'], detail?: string): void {
    if (this.record.notes.some((note) => note.code === code && note.detail === detail)) return;
    const note = { code, at: this.now(), ...(detail === undefined ? {} : { detail }) };
    this.change({ notes: [...this.record.notes, note] });
  }

  /** What is known of its sandbox besides what was. */
  sandbox(more: Partial<TaskSandbox> & { id: string }): void {
    this.change({ sandbox: { origin: 'unknown', ...this.record.sandbox, ...more } });
  }

  /** Printed text is taken from here on. @param stored what another process took */
  print(startedAt: number, secrets: readonly string[], stored: StoredOutput = { counts: nothing, tail: [] }): void {
    const told = (chunks: OutputChunk[]) => {
      this.ledger.addOutput(chunks);
      for (const listener of this.#listeners) listener.printed(chunks);
    };
    this.output = new Output({ ...stored.counts }, secrets, told, startedAt, this.now, stored.tail);
  }
}
