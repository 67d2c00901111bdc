import 'server-only';

/** One piece of work at a time for each key; what is asked for meanwhile is not queued, only remembered. */
export class Turns {
  /** Busy ones, with whether more was asked for. */
  #busy = new Map<string, boolean>();

  isBusy(key: string): boolean {
    return this.#busy.has(key);
  }

  /** Something is to be looked at when what the key is busy with has ended. */
  remember(key: string): void {
    if (this.#busy.has(key)) this.#busy.set(key, true);
  }

  /** Begins at once, or not at all. `ended` is told whether more was asked for meanwhile. */
  take(key: string, work: () => Promise<void>, failed: (error: unknown) => void, ended: (more: boolean) => void): void {
    if (this.#busy.has(key)) {
      this.#busy.set(key, true);
      return;
    }
    this.#busy.set(key, false);
    void work()
      .catch(failed)
      .finally(() => {
        const more = this.#busy.get(key) ?? false;
        this.#busy.delete(key);
        ended(more);
      });
  }
}
