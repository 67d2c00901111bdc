import 'server-only';
import type { z } from 'zod';
import type { KindFreshness } from '@/lib/contracts/stream';
import { log } from '@/server/log';
import type { KubeClient } from './client';
import { httpError, isTooLargeVersion, KubeError } from './errors';
import { bookmark, type Ingested, ingest, watchEvent } from './ingest';
import { KindState } from './kind-state';
import { listAll, selectorOf, type Watched } from './list-all';
import { backoff, pause, type Timing } from './timing';

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

/** With the back-off in between, some seconds: as long as the start of an API server takes. */
const doubtsBeforeBelief = 3;

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
  #attempts = 0;
  /** How often in a row a kind that was listed before is now not served, or refused. */
  #doubts = 0;
  #listed = false;
  #unreadable = 0;
  #stop = new AbortController();
  /** Ends the back-off after a failure of the network. */
  #sooner = new AbortController();
  #settle: () => void = () => undefined;
  /** Resolves when the first list is in, or the first attempt has failed. */
  readonly settled = new Promise<void>((resolve) => {
    this.#settle = resolve;
  });

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#state = new KindState(options.watched.kind, options.now, options.onState);
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
    this.#sooner.abort();
  }

  /** Runs until {@link stop}. */
  async run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      let watchedFrom = Number.POSITIVE_INFINITY;
      try {
        if (this.#version === undefined) await this.#list();
        this.#settle();
        watchedFrom = this.#options.now();
        await this.#watch(this.#version);
        // A watch that lasted is renewed at once; so is the first short one. More of them in a row are slowed down.
        if (this.#lasted(watchedFrom) || this.#attempts++ === 0) continue;
        // Only a list can tell why.
        this.#version = undefined;
        await this.#wait('the API server closes the watch as soon as it is opened');
      } catch (error) {
        if (this.#stop.signal.aborted) break;
        this.#lasted(watchedFrom);
        await this.#recover(error);
      }
    }
    this.#settle();
  }

  stop(): void {
    this.#stop.abort();
  }

  #lasted(watchedFrom: number): boolean {
    const healthy = this.#options.now() - watchedFrom >= this.#options.timing.healthy;
    if (healthy) this.#attempts = 0;
    return healthy;
  }

  async #recover(error: unknown): Promise<void> {
    const { watched, timing } = this.#options;
    if (!(error instanceof KubeError)) {
      // A fault of this program. A kind that silently stopped would be worse than one that says why it lags.
      log.error({ key: 'kube.fault', kind: watched.kind, err: error });
      this.#version = undefined;
      await this.#wait(`the console failed on this kind: ${error instanceof Error ? error.message : error}`);
      return;
    }
    // The first failure is news, the attempts that follow are not.
    const level = this.freshness().state === 'live' || this.freshness().state === 'syncing' ? 'warn' : 'debug';
    log[level]({ key: 'kube.reflector', kind: watched.kind, status: error.status, message: error.message });
    const listing = this.#version === undefined;
    if (listing && (error.status === 404 || error.status === 403)) {
      // An API server that has just started knows neither roles nor definitions: what was listed before is asked again.
      if (this.#listed && this.#doubts < doubtsBeforeBelief) {
        this.#state.publish('degraded', error.message);
        return pause(backoff(timing, this.#doubts++), this.#stop.signal);
      }
      this.#listed = false;
      this.#clear();
      if (error.status === 403) this.#state.publish('forbidden', error.message);
      else this.#state.publish('missing', `the API server does not serve ${watched.path}: ${error.message}`);
      this.#settle();
      return pause(timing.absent, this.#stop.signal);
    }
    // Only a watch that ended in good order is resumed. After anything else a list tells what is true now, and
    // keeps events of the time in between from looking as if they happened now.
    this.#version = undefined;
    if (error.status === 410 && !listing && this.#attempts++ === 0) return;
    await this.#wait(error.message, error);
  }

  async #wait(reason: string, error?: KubeError): Promise<void> {
    this.#state.publish('degraded', reason);
    this.#settle();
    this.#sooner = new AbortController();
    // An answer that refuses is waited out as the API server wishes; nothing wishes that after silence.
    const ends = error?.cause === 'network' ? [this.#stop.signal, this.#sooner.signal] : [this.#stop.signal];
    const delay = backoff(this.#options.timing, this.#attempts++, error?.retryAfterSeconds);
    await pause(delay, AbortSignal.any(ends));
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
    this.#listed = true;
    this.#doubts = 0;
    for (const [key, entry] of before) if (!next.has(key)) this.#gone(entry, false);
    for (const [key, entry] of next) if (entry !== before.get(key)) this.#came(entry, before.get(key), false);
    this.#state.prove();
    this.#state.publish('live');
  }

  async #watch(from: string | undefined): Promise<void> {
    const { client, watched, timing } = this.#options;
    const seconds = (timing.watch.from + Math.random() * (timing.watch.to - timing.watch.from)) / 1000;
    const silence = new AbortController();
    const watchdog = setInterval(() => {
      if (this.#state.silence >= timing.silence) silence.abort();
    }, timing.silence / 10);
    this.#state.listen();
    try {
      await client.stream(
        {
          method: 'GET',
          path: watched.path,
          query: {
            ...selectorOf(watched),
            watch: true,
            allowWatchBookmarks: true,
            timeoutSeconds: Math.ceil(seconds),
            ...(from === undefined ? {} : { resourceVersion: from }),
          },
          timeoutMs: Math.min(timing.silence, timing.listTimeout),
          signal: AbortSignal.any([this.#stop.signal, silence.signal]),
        },
        {
          onOpen: () => {
            this.#state.watching(true);
            this.#state.prove();
            this.#state.publish('live');
          },
          onBytes: () => this.#state.prove(),
          onLine: (line) => this.#receive(line),
        },
      );
    } catch (error) {
      if (!silence.signal.aborted || this.#stop.signal.aborted) throw error;
      const quiet = Math.round(timing.silence / 1000);
      throw new KubeError({ cause: 'timeout', message: `nothing was heard on the watch for ${quiet} s` });
    } finally {
      clearInterval(watchdog);
      this.#state.watching(false);
    }
  }

  #receive(line: string): void {
    const event = readEvent(line);
    if (event.type === 'ERROR') throw watchError(event.object);
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

function readEvent(line: string): z.infer<typeof watchEvent> {
  try {
    return watchEvent.parse(JSON.parse(line));
  } catch {
    // Not the line itself: it may hold what ingest would have dropped, and this message is shown.
    throw httpError(200, `this is no watch event (${line.length} characters)`);
  }
}

/** An ERROR event holds a Status: 410 when the version is too old (over HTTP 200), others by chance. */
function watchError(object: unknown): KubeError {
  const error = httpError(0, object);
  const status = error.kubeStatus?.code ?? (isTooLargeVersion(error) ? 504 : 500);
  return httpError(status, object);
}
