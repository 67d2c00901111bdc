/** A moment on both clocks of a browser: the monotonic one stops while a laptop sleeps, the other can be set back. */
interface Mark {
  steady: number;
  wall: number;
}

export interface ClockSource {
  /** Monotonic milliseconds. */
  steady(): number;
  /** Milliseconds since the epoch. */
  wall(): number;
}

const mark = (source: ClockSource): Mark => ({ steady: source.steady(), wall: source.wall() });

/** The server's clock as this tab knows it: what it said last, plus what has passed since, sleep included. */
export class ServerClock {
  #source: ClockSource;
  #said: { time: number; at: Mark } | undefined;
  #lastLook: Mark;

  constructor(source: ClockSource) {
    this.#source = source;
    this.#lastLook = mark(source);
  }

  /** The server has just said that it is `time`. */
  set(time: number): void {
    this.#said = { time, at: mark(this.#source) };
  }

  now(): number {
    if (!this.#said) return this.#source.wall();
    return this.#said.time + this.#since(this.#said.at);
  }

  /** Time since the last call of this method: much more than the caller's interval means that the machine slept. */
  sinceLastLook(): number {
    const passed = this.#since(this.#lastLook);
    this.#lastLook = mark(this.#source);
    return passed;
  }

  #since(at: Mark): number {
    return Math.max(this.#source.steady() - at.steady, this.#source.wall() - at.wall, 0);
  }
}
