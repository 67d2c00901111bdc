import 'server-only';
import { log } from '@/server/log';
import { KubeError } from './errors';
import type { KindState } from './kind-state';
import type { Watched } from './list-all';
import { backoff, pause, type Timing } from './timing';

/** With the back-off in between, some seconds: as long as the start of an API server takes. */
const doubtsBeforeBelief = 3;

interface RecoveryOptions {
  watched: Watched;
  timing: Timing;
  /** Told what is wrong, before anything is waited out. */
  state: KindState;
  /** Ends every wait. */
  stop: AbortSignal;
  now(): number;
  /** The kind is not served, or may not be listed: what was known of it no longer is. */
  onAbsent(): void;
  /** What failed has been told, and a wait begins. */
  onWait(): void;
}

/** How one kind comes back from what its list or its watch ended with: how it is judged, told and waited out. */
export class Recovery {
  #options: RecoveryOptions;
  #attempts = 0;
  /** How often in a row a kind that was listed before is now not served, or refused. */
  #doubts = 0;
  #listed = false;
  /** Ends the back-off after a failure of the network. */
  #sooner = new AbortController();

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** A list is in. */
  listed(): void {
    this.#listed = true;
    this.#doubts = 0;
  }

  /** A watch has ended. One that lasted makes the next failure the first one again. */
  lasted(watchedFrom: number): boolean {
    const healthy = this.#options.now() - watchedFrom >= this.#options.timing.healthy;
    if (healthy) this.#attempts = 0;
    return healthy;
  }

  /** A watch ended in good order. One that lasted is renewed at once; so is the first short one, but not more in a row. */
  renews(watchedFrom: number): boolean {
    return this.lasted(watchedFrom) || this.#attempts++ === 0;
  }

  /** The API server answers again: what waits because it could not be reached is tried at once. */
  retry(): void {
    this.#sooner.abort();
  }

  /**
   * Settles when it is time to list again.
   * @param listing whether it was the list that failed, not the watch
   */
  async after(error: unknown, listing: boolean): Promise<void> {
    const { watched } = this.#options;
    if (!(error instanceof KubeError)) {
      // A fault of this program. A kind that silently stopped would be worse than one that says why it lags.
      log.error({ key: 'kube.fault', kind: watched.kind, err: error });
      return this.wait(`the console failed on this kind: ${error instanceof Error ? error.message : error}`);
    }
    // The first failure is news, the attempts that follow are not.
    const { state } = this.#options.state.freshness();
    const level = state === 'live' || state === 'syncing' ? 'warn' : 'debug';
    log[level]({ key: 'kube.reflector', kind: watched.kind, status: error.status, message: error.message });
    if (listing && (error.status === 404 || error.status === 403)) return this.#refused(error);
    if (error.status === 410 && !listing && this.#attempts++ === 0) return;
    return this.wait(error.message, error);
  }

  /** The back-off, each time longer; never shorter than the API server asked for. */
  async wait(reason: string, error?: KubeError): Promise<void> {
    const { state, timing, stop, onWait } = this.#options;
    state.publish('degraded', reason);
    onWait();
    this.#sooner = new AbortController();
    // An answer that refuses is waited out as the API server wishes; nothing wishes that after silence.
    const ends = error?.cause === 'network' ? [stop, this.#sooner.signal] : [stop];
    await pause(backoff(timing, this.#attempts++, error?.retryAfterSeconds), AbortSignal.any(ends));
  }

  /** The list was answered with 403 or 404. */
  #refused(error: KubeError): Promise<void> {
    const { state, timing, stop, watched, onAbsent, onWait } = this.#options;
    // An API server that has just started knows neither roles nor definitions: what was listed before is asked again.
    if (this.#listed && this.#doubts < doubtsBeforeBelief) {
      state.publish('degraded', error.message);
      return pause(backoff(timing, this.#doubts++), stop);
    }
    this.#listed = false;
    onAbsent();
    if (error.status === 403) state.publish('forbidden', error.message);
    else state.publish('missing', `the API server does not serve ${watched.path}: ${error.message}`);
    onWait();
    return pause(timing.absent, stop);
  }
}
