import type { LiveEnvironment } from './environment';

const graceMs = 5_000;

/** Whether a tab is worth a stream: one that was hidden for some seconds is not, until it is looked at again. */
export class Visibility {
  #env: Pick<LiveEnvironment, 'hidden' | 'onVisibilityChange'>;
  #on: { released(): void; seen(): void };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch: (() => void) | undefined;
  #released = false;

  constructor(env: Pick<LiveEnvironment, 'hidden' | 'onVisibilityChange'>, on: { released(): void; seen(): void }) {
    this.#env = env;
    this.#on = on;
  }

  get released(): boolean {
    return this.#released;
  }

  start(): void {
    this.#unwatch = this.#env.onVisibilityChange(() => this.#changed());
    if (this.#env.hidden()) this.#changed();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#unwatch?.();
  }

  #changed(): void {
    clearTimeout(this.#timer);
    if (this.#env.hidden()) {
      this.#timer = setTimeout(() => {
        this.#released = true;
        this.#on.released();
      }, graceMs);
    } else {
      this.#released = false;
      this.#on.seen();
    }
  }
}
