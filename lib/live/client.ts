import { type RowKind, type RowLists, type RowOf, rowKinds } from '@/lib/contracts/rows';
import type { StreamMessage } from '@/lib/contracts/stream';
import { RequestError } from '@/lib/read-json';
import { ServerClock } from './clock';
import type { LiveEnvironment } from './environment';
import { Listeners } from './listeners';
import { MessageStream } from './message-stream';
import { Permit } from './permit';
import { readRows } from './read';
import { Retry } from './retry';
import { deriveStatus, type LiveFacts, type LiveStatus, sameStatus } from './status';
import { RowStore } from './store';
import { Visibility } from './visibility';

/** Heartbeats come every 10 s: two and a half of them missing is a dead socket. */
const silentAfterMs = 25_000;
/** The watchdog looks every second; a gap this long between two looks means that the machine slept. */
const sleptAfterMs = 15_000;
/** A tab that has to do without a stream lists as often as this. */
const pollMs = 5_000;
/** A stream that lasted this long was healthy: the next failure starts counting anew. */
const healthyAfterMs = 10_000;

/**
 * Keeps one scope's rows current: lists, then follows the stream, and comes back by itself from whatever
 * interrupts it. Timers run between {@link start} and {@link stop} only.
 */
export class LiveClient {
  /** The person's side, free of `this`. */
  readonly controls = {
    pause: () => this.pause(),
    resume: () => this.resume(),
    refresh: () => this.refresh(),
  };

  #env: LiveEnvironment;
  #query: string;
  #store = new RowStore();
  #clock: ServerClock;
  #rowListeners = new Map<RowKind, Listeners>(rowKinds.map((kind) => [kind, new Listeners()]));
  #statusListeners = new Listeners();
  #tickListeners = new Listeners();

  #status: LiveStatus = { state: 'loading', ageMs: 0 };
  #tickedAt = 0;
  #facts: Omit<LiveFacts, 'now'> = { loaded: false, paused: false, ended: false };

  #stream: MessageStream | undefined;
  #listing: { done: Promise<void>; abort: AbortController } | undefined;
  #retry: Retry;
  #permit: Permit;
  #poll: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setInterval> | undefined;
  #visibility: Visibility;

  /** @param namespaces the scope; undefined means all that the person may see */
  constructor(namespaces: readonly string[] | undefined, env: LiveEnvironment) {
    this.#env = env;
    this.#clock = new ServerClock(env);
    this.#retry = new Retry(env.random);
    this.#permit = new Permit(env);
    this.#visibility = new Visibility(env, { released: () => this.#closeStream(), seen: () => this.#seen() });
    this.#query = namespaces === undefined ? '' : `namespaces=${namespaces.map(encodeURIComponent).join(',')}`;
  }

  /** What is asked for first: a page can ask for it while its scripts are still loading. */
  get listUrl(): string {
    return `/api/v1/rows?${this.#query}`;
  }

  start(): void {
    if (this.#watchdog) return;
    this.#clock.sinceLastLook();
    this.#watchdog = setInterval(() => this.#look(), 1_000);
    this.#visibility.start();
    this.#tick();
    if (this.#facts.loaded) this.#follow();
    else void this.#list();
  }

  stop(): void {
    clearInterval(this.#watchdog);
    this.#watchdog = undefined;
    this.#visibility.stop();
    this.#listing?.abort.abort();
    this.#listing = undefined;
    this.#closeStream();
  }

  /** Stops following; the rows stay as they are and say so. */
  pause(): void {
    this.#facts.paused = true;
    this.#closeStream();
    this.#publish();
  }

  resume(): void {
    if (!this.#facts.paused) return;
    this.#facts.paused = false;
    this.#follow();
    this.#publish();
  }

  /** Lists again now. Settles when that list is in place or has failed. */
  refresh(): Promise<void> {
    return this.#list();
  }

  rows<K extends RowKind>(kind: K): RowLists[K] {
    return this.#store.list(kind);
  }

  row<K extends RowKind>(kind: K, uid: string): RowOf<K> | undefined {
    return this.#store.get(kind, uid);
  }

  rowByName<K extends RowKind>(kind: K, namespace: string, name: string): RowOf<K> | undefined {
    return this.#store.getByName(kind, namespace, name);
  }

  /** The same object until something in it changes. */
  status(): LiveStatus {
    return this.#status;
  }

  /** The server's clock at the last tick of the shared ticker, which ticks every second. */
  tickedAt(): number {
    return this.#tickedAt;
  }

  onRows(kind: RowKind, listener: () => void): () => void {
    return this.#rowListeners.get(kind)?.add(listener) ?? (() => undefined);
  }

  onStatus(listener: () => void): () => void {
    return this.#statusListeners.add(listener);
  }

  onTick(listener: () => void): () => void {
    return this.#tickListeners.add(listener);
  }

  #list(): Promise<void> {
    this.#listing?.abort.abort();
    this.#retry.cancel();
    clearTimeout(this.#poll);
    const abort = new AbortController();
    const done = this.#listOnce(abort.signal);
    this.#listing = { done, abort };
    return done;
  }

  async #listOnce(aborted: AbortSignal): Promise<void> {
    try {
      const reply = await readRows(this.#env, this.listUrl, aborted);
      if (aborted.aborted) return this.#listing?.done;
      this.#heard(reply.time);
      this.#facts.freshness = reply.freshness;
      this.#facts.problem = undefined;
      this.#facts.loaded = true;
      this.#facts.ended = false;
      this.#notify(this.#store.applyReply(reply));
      this.#follow();
      // Where too many tabs are looked at for one more stream, a list is as good.
      if (!this.#stream && this.#permit.waiting) this.#facts.downSince = undefined;
    } catch (error) {
      // Another list has taken over: whoever waits for this one waits for that one.
      if (aborted.aborted) return this.#listing?.done;
      if (!(error instanceof RequestError)) throw error;
      this.#facts.problem = error.problem;
      if (!this.#stream) this.#later(() => void this.#list());
    } finally {
      this.#publish();
    }
  }

  /** Opens the stream unless it is open or not wanted. */
  #follow(): void {
    if (this.#stream || this.#facts.paused || this.#visibility.released || this.#facts.ended || !this.#watchdog) return;
    this.#retry.cancel();
    const cursor = this.#store.cursor;
    if (cursor === undefined) return void this.#list();
    if (!this.#permit.take(() => this.#follow())) {
      clearTimeout(this.#poll);
      this.#poll = setTimeout(() => void this.#list(), pollMs);
      return;
    }
    clearTimeout(this.#poll);
    const slow = this.#env.hidden();
    const pace = slow ? '&pace=hidden' : '';
    const url = `/api/v1/stream?cursor=${cursor}${pace}${this.#query && `&${this.#query}`}`;
    const openedAt = this.#clock.now();
    this.#stream = new MessageStream(this.#env, url, openedAt, slow, {
      messages: (messages) => this.#apply(messages),
      unreadable: () => this.#resync(),
      lost: (spoke) => {
        if (this.#clock.now() - openedAt > healthyAfterMs) this.#retry.reset();
        this.#closeStream();
        // A stream that never spoke may have been refused, and only a list can say why.
        this.#later(() => (spoke ? this.#follow() : void this.#list()));
        this.#publish();
      },
    });
  }

  #closeStream(downSince = this.#clock.now()): void {
    this.#retry.cancel();
    clearTimeout(this.#poll);
    this.#permit.release();
    if (!this.#stream) return;
    this.#stream.close();
    this.#stream = undefined;
    this.#facts.downSince ??= downSince;
  }

  #later(again: () => void): void {
    this.#retry.cancel();
    if (!this.#watchdog || this.#facts.paused || this.#visibility.released) return;
    this.#facts.downSince ??= this.#clock.now();
    this.#retry.schedule(again);
  }

  #apply(messages: readonly StreamMessage[]): void {
    const changed = new Set<RowKind>();
    for (const message of messages) {
      this.#heard(message.time);
      if (message.type === 'delta') {
        const kinds = this.#store.applyDelta(message);
        if (kinds === 'foreign') this.#resync();
        else for (const kind of kinds) changed.add(kind);
      } else if (message.type === 'heartbeat') {
        if (this.#store.advance(message.cursor) === 'foreign') this.#resync();
        this.#facts.freshness = message.freshness;
        this.#facts.downSince = undefined;
        // A refresh that failed meanwhile says nothing any more.
        this.#facts.problem = undefined;
      } else if (message.type === 'gap') {
        this.#closeStream();
        void this.#list();
      } else {
        this.#end(message.reason, message.retry);
      }
      // What follows on a stream that was just closed is of no use.
      if (!this.#stream) break;
    }
    this.#notify([...changed]);
    this.#publish();
  }

  /** The stream and the rows do not fit together: lists again, slower each time it happens. */
  #resync(): void {
    this.#closeStream();
    this.#later(() => void this.#list());
    this.#publish();
  }

  #end(reason: 'forbidden' | 'stopping', retry: boolean): void {
    this.#closeStream();
    this.#facts.ended = !retry && reason === 'forbidden';
    if (retry) this.#later(() => this.#follow());
  }

  #heard(time: number): void {
    this.#clock.set(time);
    this.#facts.heardAt = time;
    if (this.#stream && this.#clock.now() - this.#stream.openedAt > healthyAfterMs) this.#retry.reset();
  }

  #look(): void {
    const slept = this.#clock.sinceLastLook() > sleptAfterMs && !this.#env.hidden();
    const heardAt = Math.max(this.#facts.heardAt ?? 0, this.#stream?.openedAt ?? 0);
    if (this.#stream && (slept || this.#clock.now() - heardAt > silentAfterMs)) {
      this.#closeStream(this.#facts.heardAt);
      this.#follow();
    }
    this.#tick();
    this.#publish();
  }

  /** The tab is looked at again: after a while without a stream, or with a slow one. */
  #seen(): void {
    this.#clock.sinceLastLook();
    if (this.#stream?.slow) this.#closeStream();
    this.#tick();
    this.#follow();
    this.#publish();
  }

  #tick(): void {
    this.#tickedAt = this.#clock.now();
    this.#tickListeners.tell();
  }

  #notify(kinds: readonly RowKind[]): void {
    for (const kind of kinds) this.#rowListeners.get(kind)?.tell();
  }

  #publish(): void {
    const next = deriveStatus({ now: this.#clock.now(), ...this.#facts });
    if (sameStatus(next, this.#status)) return;
    this.#status = next;
    this.#statusListeners.tell();
  }
}
