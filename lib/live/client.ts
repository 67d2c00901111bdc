import { type RowKind, type RowLists, type RowOf, rowKinds } from '@/lib/contracts/rows';
import type { RowsReply, StreamMessage } from '@/lib/contracts/stream';
import type { LimitSettings } from '@/lib/contracts/triage';
import { type LimitsInForce, limitsInForce, standardLimits } from '@/lib/domain/limits';
import { ServerClock } from './clock';
import type { LiveEnvironment } from './environment';
import { Following } from './following';
import { Listeners } from './listeners';
import { Listing } from './listing';
import { deriveStatus, type LiveFacts, type LiveStatus, sameStatus } from './status';
import { RowStore } from './store';
import { Visibility } from './visibility';

/** Heartbeats come every 10 s: two and a half of them missing is a dead socket. */
const silentAfterMs = 25_000;
/** The watchdog looks every second; a gap this long between two looks means that the machine slept. */
const sleptAfterMs = 15_000;

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
  #store = new RowStore();
  #clock: ServerClock;
  #rowListeners = new Map<RowKind, Listeners>(rowKinds.map((kind) => [kind, new Listeners()]));
  #statusListeners = new Listeners();
  #limitListeners = new Listeners();
  #limits: { of: string; inForce: LimitsInForce } = { of: '', inForce: standardLimits };
  #markListeners = new Listeners();
  #marks: string | undefined;
  #tickListeners = new Listeners();

  #status: LiveStatus = { state: 'loading', ageMs: 0 };
  #tickedAt = 0;
  #facts: Omit<LiveFacts, 'now'> = { loaded: false, paused: false, ended: false };

  #listing: Listing;
  #following: Following;
  #watchdog: ReturnType<typeof setInterval> | undefined;
  #visibility: Visibility;

  /** @param namespaces the scope; undefined means all that the person may see */
  constructor(namespaces: readonly string[] | undefined, env: LiveEnvironment) {
    const query = namespaces === undefined ? '' : `namespaces=${namespaces.map(encodeURIComponent).join(',')}`;
    this.#env = env;
    this.#clock = new ServerClock(env);
    this.#visibility = new Visibility(env, { released: () => this.#following.close(), seen: () => this.#seen() });
    this.#listing = new Listing(env, `/api/v1/rows?${query}`, {
      listed: (reply) => this.#listed(reply),
      failed: (problem) => {
        this.#facts.problem = problem;
        if (this.#following.openedAt === undefined) this.#following.later('list');
        this.#publish();
      },
    });
    this.#following = new Following(env, this.#clock, {
      wanted: () => this.#watchdog !== undefined && !this.#facts.paused && !this.#visibility.released,
      url: () => {
        const { cursor } = this.#store;
        return cursor && `/api/v1/stream?cursor=${cursor}${query && `&${query}`}`;
      },
      list: () => void this.refresh(),
      messages: (messages) => this.#apply(messages),
      down: (at) => {
        this.#facts.downSince ??= at;
      },
      lost: () => this.#publish(),
    });
  }

  /** What is asked for first: a page can ask for it while its scripts are still loading. */
  get listUrl(): string {
    return this.#listing.url;
  }

  start(): void {
    if (this.#watchdog) return;
    this.#clock.sinceLastLook();
    this.#watchdog = setInterval(() => this.#look(), 1_000);
    this.#visibility.start();
    this.#tick();
    if (this.#facts.loaded) this.#follow();
    else void this.refresh();
  }

  stop(): void {
    clearInterval(this.#watchdog);
    this.#watchdog = undefined;
    this.#visibility.stop();
    this.#listing.stop();
    this.#following.close();
  }

  /** Stops following; the rows stay as they are and say so. */
  pause(): void {
    this.#facts.paused = true;
    this.#following.close();
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
    this.#following.cancel();
    return this.#listing.list();
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

  /** What rows are judged by; the same object until somebody changes a limit. */
  limits(): LimitsInForce {
    return this.#limits.inForce;
  }

  /** Version of what people have said of the sandboxes of this scope; undefined before the first list. */
  marks(): string | undefined {
    return this.#marks;
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

  onLimits(listener: () => void): () => void {
    return this.#limitListeners.add(listener);
  }

  onMarks(listener: () => void): () => void {
    return this.#markListeners.add(listener);
  }

  onTick(listener: () => void): () => void {
    return this.#tickListeners.add(listener);
  }

  /** Once rights were lost there is no stream before a list has worked. */
  #follow(): void {
    if (!this.#facts.ended) this.#following.follow();
  }

  #listed(reply: RowsReply): void {
    this.#heard(reply.time);
    this.#judgeBy(reply.limits);
    this.#hearOfMarks(reply.marks);
    this.#facts.freshness = reply.freshness;
    this.#facts.problem = undefined;
    this.#facts.loaded = true;
    this.#facts.ended = false;
    this.#notify(this.#store.applyReply(reply));
    this.#follow();
    // Where too many tabs are looked at for one more stream, a list is as good.
    if (this.#following.waits) this.#facts.downSince = undefined;
    this.#publish();
  }

  #apply(messages: readonly StreamMessage[]): void {
    const changed = new Set<RowKind>();
    for (const message of messages) {
      this.#heard(message.time);
      if (message.type === 'delta') {
        const kinds = this.#store.applyDelta(message);
        if (kinds === 'foreign') this.#following.interrupt('list');
        else for (const kind of kinds) changed.add(kind);
      } else if (message.type === 'heartbeat') {
        if (this.#store.advance(message.cursor) === 'foreign') this.#following.interrupt('list');
        this.#judgeBy(message.limits);
        this.#hearOfMarks(message.marks);
        this.#facts.freshness = message.freshness;
        this.#facts.downSince = undefined;
        // A refresh that failed meanwhile says nothing any more.
        this.#facts.problem = undefined;
      } else if (message.type === 'gap') {
        this.#following.close();
        void this.refresh();
      } else {
        this.#end(message.reason, message.retry);
      }
      // What follows on a stream that was just closed is of no use.
      if (this.#following.openedAt === undefined) break;
    }
    this.#notify([...changed]);
    this.#publish();
  }

  #end(reason: 'forbidden' | 'stopping', retry: boolean): void {
    this.#following.close();
    this.#facts.ended = !retry && reason === 'forbidden';
    if (retry) this.#following.later('follow');
  }

  #judgeBy({ states, pools }: LimitSettings): void {
    const of = JSON.stringify([states, pools]);
    if (of === this.#limits.of) return;
    this.#limits = { of, inForce: limitsInForce({ states, pools }) };
    this.#limitListeners.tell();
  }

  #hearOfMarks(version: string): void {
    if (version === this.#marks) return;
    this.#marks = version;
    this.#markListeners.tell();
  }

  #heard(time: number): void {
    this.#clock.set(time);
    this.#facts.heardAt = time;
    this.#following.heard();
  }

  #look(): void {
    const slept = this.#clock.sinceLastLook() > sleptAfterMs && !this.#env.hidden();
    const { openedAt } = this.#following;
    const heardAt = Math.max(this.#facts.heardAt ?? 0, openedAt ?? 0);
    if (openedAt !== undefined && (slept || this.#clock.now() - heardAt > silentAfterMs)) {
      this.#following.close(this.#facts.heardAt);
      this.#follow();
    }
    this.#tick();
    this.#publish();
  }

  /** The tab is looked at again, perhaps after a while without a stream. */
  #seen(): void {
    this.#clock.sinceLastLook();
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
