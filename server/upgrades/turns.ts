import 'server-only';

/** One piece of work at a time for each key; what is asked for meanwhile is not queued, only remembered. */
export class Turns {
  /** Busy ones, with whether more was asked for. */
  #busy = new Map<string, boolean>();

  /** Begins at once, or not at all, and says which. `ended` is told whether more was asked for meanwhile. */
  take(
    key: string,
    work: () => Promise<void>,
    failed: (error: unknown) => void,
    ended: (more: boolean) => void,
  ): boolean {
    if (this.#busy.has(key)) {
      this.#busy.set(key, true);
      return false;
    }
    this.#busy.set(key, false);
    void work()
      .catch(failed)
      .finally(() => {
        const more = this.#busy.get(key) ?? false;
        this.#busy.delete(key);
        ended(more);
      });
    return true;
  }
}
