import 'server-only';
import type { OutputChunk } from '@/lib/contracts/tasks';
import { log } from '../log';
import type { TaskFile } from './contents';
import type { TaskRecord } from './record';
import type { TaskStore } from './store';

const againMs = 2_000;
const gatherMs = 200;

/**
 * Brings one task to the database, behind its back: nothing that runs waits for it. What could not be stored is tried again;
 * each thing is written in order.
 */
export class Ledger {
  #store: TaskStore;
  #runner: string;
  #record: TaskRecord | undefined;
  #chunks: OutputChunk[] = [];
  #files: TaskFile[] = [];
  #task: string;
  #working: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #taken: () => void;

  /**
   * @param taken another process goes on with it: nothing of it is stored from here any more
   */
  constructor(store: TaskStore, task: string, runner: string, taken: () => void) {
    this.#store = store;
    this.#task = task;
    this.#runner = runner;
    this.#taken = taken;
  }

  save(record: TaskRecord): void {
    this.#record = record;
    this.#soon(0);
  }

  addOutput(chunks: readonly OutputChunk[]): void {
    this.#chunks.push(...chunks);
    this.#soon(gatherMs);
  }

  addFile(file: TaskFile): void {
    this.#files.push(file);
    this.#soon(0);
  }

  /** Settles when everything is stored, or when the database cannot be used: then it is tried again later. */
  async stored(): Promise<void> {
    await this.#working;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#work();
  }

  get isDone(): boolean {
    return this.#record === undefined && this.#chunks.length === 0 && this.#files.length === 0;
  }

  #soon(ms: number): void {
    if (this.#working || (this.#timer && ms > 0)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#work(), ms);
  }

  #work(): Promise<void> {
    this.#timer = undefined;
    this.#working ??= this.#write().finally(() => {
      this.#working = undefined;
    });
    return this.#working;
  }

  async #write(): Promise<void> {
    try {
      while (!this.isDone) await this.#writeOne();
    } catch (err) {
      log.warn({ key: 'task.unstored', task: this.#task, err });
      this.#timer = setTimeout(() => void this.#work(), againMs).unref();
    }
  }

  async #writeOne(): Promise<void> {
    const file = this.#files[0];
    if (this.#chunks.length > 0) {
      const chunks = [...this.#chunks];
      await this.#store.contents.addOutput(this.#task, chunks);
      this.#chunks = this.#chunks.slice(chunks.length);
    } else if (file) {
      await this.#store.contents.addResult(this.#task, file);
      this.#files.shift();
    } else if (this.#record) {
      const record = this.#record;
      const isStored = await this.#store.save(record, this.#runner);
      if (this.#record === record) this.#record = undefined;
      if (!isStored) this.#taken();
    }
  }
}
