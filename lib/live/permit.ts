import type { LiveEnvironment } from './environment';

/** A tab's turn to hold a stream: a browser has six connections for a server, and every tab needs one for its requests. */
export class Permit {
  #env: Pick<LiveEnvironment, 'acquireStream'>;
  #held = false;
  #end: (() => void) | undefined;

  constructor(env: Pick<LiveEnvironment, 'acquireStream'>) {
    this.#env = env;
  }

  /** Asked for, and not had yet. */
  get waiting(): boolean {
    return this.#end !== undefined && !this.#held;
  }

  /** Whether a stream may be opened now; if not, `granted` is called when it may. */
  take(granted: () => void): boolean {
    if (this.#end) return this.#held;
    let atOnce = true;
    this.#end = this.#env.acquireStream(() => {
      this.#held = true;
      if (!atOnce) granted();
    });
    atOnce = false;
    return this.#held;
  }

  release(): void {
    this.#held = false;
    this.#end?.();
    this.#end = undefined;
  }
}
