import type { StreamMessage } from '@/lib/contracts/stream';
import type { ServerClock } from './clock';
import type { LiveEnvironment } from './environment';
import { MessageStream } from './message-stream';
import { Permit } from './permit';
import { Retry } from './retry';

/** A tab that has to do without a stream lists as often as this. */
const pollMs = 5_000;
/** A stream that lasted this long was healthy: the next failure starts counting anew. */
const healthyAfterMs = 10_000;

export interface FollowingHandlers {
  /** Whether anything should be done about a stream. */
  wanted(): boolean;
  /** Where a stream continues; undefined: list first. */
  url(): string | undefined;
  list(): void;
  messages(messages: readonly StreamMessage[]): void;
  /** There is no stream since `at`, a time of the server's clock. Told again while that lasts. */
  down(at: number): void;
  /** The stream was lost, or closed for what it sent. */
  lost(): void;
}

/** The stream of one scope: opened when it is wanted and this tab's turn, and again after whatever interrupts it. */
export class Following {
  #env: Pick<LiveEnvironment, 'openStream' | 'onFrame'>;
  #clock: ServerClock;
  #on: FollowingHandlers;
  #stream: MessageStream | undefined;
  #retry: Retry;
  #permit: Permit;
  #poll: ReturnType<typeof setTimeout> | undefined;

  constructor(env: LiveEnvironment, clock: ServerClock, on: FollowingHandlers) {
    this.#env = env;
    this.#clock = clock;
    this.#on = on;
    this.#retry = new Retry(env.random);
    this.#permit = new Permit(env);
  }

  /** When the stream was opened; undefined while there is none. */
  get openedAt(): number | undefined {
    return this.#stream?.openedAt;
  }

  /** No stream, as too many tabs have one. */
  get waits(): boolean {
    return !this.#stream && this.#permit.waiting;
  }

  /** Opens the stream unless it is open or not wanted. */
  follow(): void {
    if (this.#stream || !this.#on.wanted()) return;
    this.#retry.cancel();
    const url = this.#on.url();
    if (url === undefined) {
      this.#on.list();
      return;
    }
    const permitted = this.#permit.take(() => this.follow());
    clearTimeout(this.#poll);
    if (permitted) this.#open(url);
    else this.#poll = setTimeout(() => this.#on.list(), pollMs);
  }

  /** @param downSince since when nothing came, where that is known */
  close(downSince = this.#clock.now()): void {
    this.cancel();
    this.#permit.release();
    if (!this.#stream) return;
    this.#stream.close();
    this.#stream = undefined;
    this.#on.down(downSince);
  }

  /** Closes the stream, and later tries again, slower each time it happens, until one has lasted. */
  interrupt(again: 'follow' | 'list'): void {
    this.close();
    this.later(again);
  }

  later(again: 'follow' | 'list'): void {
    this.#retry.cancel();
    if (!this.#on.wanted()) return;
    this.#on.down(this.#clock.now());
    this.#retry.schedule(() => (again === 'follow' ? this.follow() : this.#on.list()));
  }

  /** What was to be tried later is done another way now. */
  cancel(): void {
    this.#retry.cancel();
    clearTimeout(this.#poll);
  }

  /** The server has just been heard. */
  heard(): void {
    if (this.#stream && this.#clock.now() - this.#stream.openedAt > healthyAfterMs) this.#retry.reset();
  }

  #open(url: string): void {
    this.#stream = new MessageStream(this.#env, url, this.#clock.now(), {
      messages: (messages) => this.#on.messages(messages),
      unreadable: () => {
        this.interrupt('list');
        this.#on.lost();
      },
      lost: (spoke) => {
        this.heard();
        // A stream that never spoke may have been refused, and only a list can say why.
        this.interrupt(spoke ? 'follow' : 'list');
        this.#on.lost();
      },
    });
  }
}
