import 'server-only';
import type { KindFreshness } from '@/lib/contracts/stream';
import { log } from '@/server/log';
import type { KubeClient } from './client';
import { bookmark, type Ingested, ingest } from './ingest';
import { KindState } from './kind-state';
import { listAll, type Watched } from './list-all';
import { Recovery } from './recovery';
import type { Timing } from './timing';
import { type WatchEvent, watch } from './watch';

export interface Change<T> {
  namespace: string;
  name: string;
  /** Absent: it is gone. */
  value?: T;
  /** What was there under this name before; of the same object unless `value` is a new one's. */
  before?: T;
  /** Seen as it happened, through the watch; a list only tells that it happened since the last one. */
  live: boolean;
}

export interface ReflectorOptions<T> {
  watched: Watched;
  client: Pick<KubeClient, 'request' | 'stream'>;
  timing: Timing;
  /** What is kept of an object; undefined when it cannot be read. `before` is what was kept of the same object. */
  digest(object: Ingested, before: T | undefined, live: boolean): T | undefined;
  onChange(change: Change<T>): void;
  onState(): void;
  now(): number;
}

interface Entry<T> {
  uid: string;
  version: string | undefined;
  namespace: string;
  name: string;
  value: T;
}

/**
 * Mirrors one kind: lists it, watches from there, and lists again whenever the watch cannot be trusted
 * (architecture 3). Never more than one request at a time.
 */
export class Reflector<T> {
  #options: ReflectorOptions<T>;
  #entries = new Map<string, Entry<T>>();
  /** Where the watch continues; undefined: list first. */
  #version: string | undefined;
  #state: KindState;
  #recovery: Recovery;
  #unreadable = 0;
  #stop = new AbortController();
  #settle: () => void = () => undefined;
  /** Resolves when the first list is in, or the first attempt has failed. */
  readonly settled = new Promise<void>((resolve) => {
    this.#settle = resolve;
  });

  constructor(options: ReflectorOptions<T>) {
    const { watched, timing, now } = options;
    this.#options = options;
    this.#state = new KindState(watched.kind, now, options.onState);
    this.#recovery = new Recovery({
      watched,
      timing,
      now,
      state: this.#state,
      stop: this.#stop.signal,
      onAbsent: () => this.#clear(),
      onWait: () => this.#settle(),
    });
  }

  get(namespace: string, name: string): T | undefined {
    return this.#entries.get(`${namespace}/${name}`)?.value;
  }

  freshness(): KindFreshness {
    return this.#state.freshness();
  }

  /**
   * The API server has answered another request just now. That vouches for a quiet watch too, as long as
   * the watch has been heard within the time in which a bookmark is due.
   */
  vouch(at: number): void {
    this.#state.vouch(at, this.#options.timing.silence * 0.75);
  }

  /** The API server answers again: what waits because it could not be reached is tried at once. */
  retry(): void {
    this.#recovery.retry();
  }

  /** Runs until {@link stop}. */
  async run(): Promise<void> {
    const { client, watched, timing, now } = this.#options;
    while (!this.#stop.signal.aborted) {
      let watchedFrom = Number.POSITIVE_INFINITY;
      try {
        if (this.#version === undefined) await this.#list();
        this.#settle();
        watchedFrom = now();
        await watch(client, watched, timing, this.#stop.signal, this.#version, {
          state: this.#state,
          event: (event) => this.#receive(event),
        });
        if (this.#recovery.renews(watchedFrom)) continue;
        // Only a list can tell why.
        this.#version = undefined;
        await this.#recovery.wait('the API server closes the watch as soon as it is opened');
      } catch (error) {
        if (this.#stop.signal.aborted) break;
        this.#recovery.lasted(watchedFrom);
        // Only a watch that ended in good order is resumed. After anything else a list tells what is true now, and
        // keeps events of the time in between from looking as if they happened now.
        const listing = this.#version === undefined;
        this.#version = undefined;
        await this.#recovery.after(error, listing);
      }
    }
    this.#settle();
  }

  stop(): void {
    this.#stop.abort();
  }

  /** A list takes the place of what was known only when its last page is in. */
  async #list(): Promise<void> {
    const { client, watched, timing } = this.#options;
    const next = new Map<string, Entry<T>>();
    const version = await listAll(client, watched, timing, this.#stop.signal, {
      begin: () => next.clear(),
      item: (raw) => {
        const object = this.#ingest(raw);
        const entry = object && this.#entryOf(object, false);
        if (object && entry) next.set(object.key, entry);
      },
    });
    const before = this.#entries;
    this.#entries = next;
    this.#version = version;
    this.#recovery.listed();
    for (const [key, entry] of before) if (!next.has(key)) this.#gone(entry, false);
    for (const [key, entry] of next) if (entry !== before.get(key)) this.#came(entry, before.get(key), false);
    this.#state.prove();
    this.#state.publish('live');
  }

  #receive(event: WatchEvent): void {
    if (event.type === 'BOOKMARK') {
      const marked = bookmark.safeParse(event.object);
      if (marked.success) this.#version = marked.data.metadata.resourceVersion;
      return;
    }
    const object = this.#ingest(event.object);
    if (!object) return;
    this.#version = object.version ?? this.#version;
    const known = this.#entries.get(object.key);
    if (event.type === 'DELETED') {
      if (known?.uid !== object.uid) return;
      this.#entries.delete(object.key);
      this.#gone(known, true);
      return;
    }
    const entry = this.#entryOf(object, true);
    if (!entry || entry === known) return;
    this.#entries.set(object.key, entry);
    this.#came(entry, known, true);
  }

  #ingest(raw: unknown): Ingested | undefined {
    const object = ingest(raw);
    if (!object) this.#countUnreadable('(no name or uid)');
    return object;
  }

  /** The entry that is there already when this version of the object is known. */
  #entryOf(object: Ingested, live: boolean): Entry<T> | undefined {
    const { uid, version, namespace, name } = object;
    const known = this.#entries.get(object.key);
    const same = known?.uid === uid ? known : undefined;
    if (same && version !== undefined && same.version === version) return same;
    try {
      const value = this.#options.digest(object, same?.value, live);
      if (value !== undefined) return { uid, version, namespace, name, value };
      this.#countUnreadable(object.key);
    } catch (error) {
      this.#countUnreadable(object.key, error);
    }
    // Its last readable form is better than none.
    return same;
  }

  #came(entry: Entry<T>, before: Entry<T> | undefined, live: boolean): void {
    const { namespace, name, uid, value } = entry;
    if (before && before.uid !== uid) this.#gone(before, live);
    const same = before?.uid === uid ? { before: before.value } : {};
    this.#options.onChange({ namespace, name, value, ...same, live });
  }

  #gone(entry: Entry<T>, live: boolean): void {
    this.#options.onChange({ namespace: entry.namespace, name: entry.name, before: entry.value, live });
  }

  #clear(): void {
    const before = this.#entries;
    this.#entries = new Map();
    for (const entry of before.values()) this.#gone(entry, false);
  }

  #countUnreadable(which: string, err?: unknown): void {
    this.#unreadable += 1;
    const { kind } = this.#options.watched;
    log.warn({ key: 'kube.unreadable', kind, which, count: this.#unreadable, err });
  }
}
