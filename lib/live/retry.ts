const backoffMs = { first: 1_000, most: 30_000 };

/** One thing to try again, later each time, until it has worked for a while. */
export class Retry {
  #random: () => number;
  #attempts = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Runs it after 1, 2, 4 … up to 30 s, shortened by chance so that tabs do not come back together. */
  schedule(again: () => void): void {
    this.cancel();
    const delay = Math.min(backoffMs.first * 2 ** this.#attempts, backoffMs.most) * (0.5 + this.#random() / 2);
    this.#attempts += 1;
    this.#timer = setTimeout(again, delay);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  /** It has worked: the next failure starts counting anew. */
  reset(): void {
    this.#attempts = 0;
  }
}
