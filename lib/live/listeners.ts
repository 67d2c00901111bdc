/** Whoever wants to know that something has changed. */
export class Listeners {
  #all = new Set<() => void>();

  /** Returns how to stop listening. */
  add(listener: () => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(): void {
    for (const listener of this.#all) listener();
  }
}
