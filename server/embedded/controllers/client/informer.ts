import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Api, ApiError } from './api';
import { Indexes } from './indexes';
import { type KubeObject, keyOf } from './objects';
import { collectionPath, type Resource } from './resources';

/** Called for every change; `before` is absent for a new object, `after` for one that is gone. */
export type ChangeHandler<T> = (before: T | undefined, after: T | undefined) => void;

const listSchema = z.looseObject({
  metadata: z.looseObject({ resourceVersion: z.string(), continue: z.string().optional() }),
  items: z.array(z.unknown()),
});
const watchEventSchema = z.looseObject({ type: z.string(), object: z.unknown() });
const bookmarkSchema = z.looseObject({ metadata: z.looseObject({ resourceVersion: z.string() }) });

/** A local copy of every object of one kind, kept by list and watch, with secondary indexes. */
export class Informer<T extends KubeObject> {
  private readonly objects = new Map<string, T>();
  private readonly indexes = new Indexes<T>();
  private readonly handlers: ChangeHandler<T>[] = [];
  private markSynced: () => void = () => {};
  private watching = new AbortController();
  /** Told of the next complete list. */
  private readonly waiting = new Set<() => void>();
  /** Settles after the first list. */
  readonly synced = new Promise<void>((resolve) => {
    this.markSynced = resolve;
  });

  constructor(
    private readonly api: Api,
    readonly resource: Resource,
    private readonly schema: z.ZodType<T>,
  ) {}

  get = (key: string): T | undefined => this.objects.get(key);
  list = (): Iterable<T> => this.objects.values();
  onChange = (handler: ChangeHandler<T>): void => void this.handlers.push(handler);

  /** Declares an index before the start; `keyOf` names the entry under which an object is found, undefined for none. */
  index(name: string, keyOf: (object: T) => string | undefined): void {
    this.indexes.declare(name, keyOf);
  }

  lookup(index: string, value: string): T[] {
    return this.indexes.keys(index, value).flatMap((key) => this.objects.get(key) ?? []);
  }

  /** Ends the watch and lists anew, as a process does that has just begun. Settles when that list is in. */
  renew(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.add(resolve);
      this.watching.abort();
    });
  }

  /** Lists and watches until the signal; waits longer after each failure in a row, up to 10 s. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    let resourceVersion: string | undefined;
    while (!signal.aborted) {
      try {
        if (this.watching.signal.aborted) resourceVersion = undefined;
        this.watching = new AbortController();
        const listed = resourceVersion === undefined ? [...this.waiting] : [];
        resourceVersion ??= await this.relist();
        this.settle(listed);
        // Asked again while it listed.
        if (this.watching.signal.aborted) continue;
        resourceVersion = await this.watch(resourceVersion, AbortSignal.any([signal, this.watching.signal]));
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (this.watching.signal.aborted) continue;
        // A kind that is not installed is an empty one; it may be installed later.
        if (error instanceof ApiError && error.code === 404) this.settle(this.waiting);
        if (error instanceof ApiError && error.code !== 0) resourceVersion = undefined;
        failures += 1;
        const pause = Math.min(10_000, 100 * 2 ** Math.min(failures, 10)) * (0.75 + Math.random() / 2);
        await sleep(pause, undefined, { signal }).catch(() => {});
      }
    }
  }

  private settle(waiting: Iterable<() => void>): void {
    this.markSynced();
    for (const resolve of waiting) {
      this.waiting.delete(resolve);
      resolve();
    }
  }

  private async relist(): Promise<string> {
    const seen = new Set<string>();
    let token = '';
    for (;;) {
      const page = listSchema.parse(
        await this.api.get(
          `${collectionPath(this.resource)}?limit=500${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`,
        ),
      );
      for (const item of page.items) {
        const object = this.parse(item);
        if (object === undefined) continue;
        seen.add(keyOf(object));
        this.put(object);
      }
      token = page.metadata.continue ?? '';
      if (token !== '') continue;
      for (const key of [...this.objects.keys()]) if (!seen.has(key)) this.drop(key);
      return page.metadata.resourceVersion;
    }
  }

  /** Watches until the server ends the stream; returns the version to go on from, or undefined when it is too old. */
  private async watch(from: string, signal: AbortSignal): Promise<string | undefined> {
    let version: string | undefined = from;
    const seconds = Math.round(300 + Math.random() * 300);
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${seconds}&resourceVersion=${encodeURIComponent(from)}`;
    const path = `${collectionPath(this.resource)}?${query}`;
    try {
      await this.api.watch(path, signal, (seconds + 15) * 1000, (line) => {
        const event = watchEventSchema.parse(JSON.parse(line));
        if (event.type === 'ERROR') {
          version = undefined;
          return;
        }
        const bookmark = bookmarkSchema.safeParse(event.object);
        if (bookmark.success) version = bookmark.data.metadata.resourceVersion;
        if (event.type === 'BOOKMARK') return;
        const object = this.parse(event.object);
        if (object === undefined) return;
        if (event.type === 'DELETED') this.drop(keyOf(object), object);
        else this.put(object);
      });
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.code !== 0)) throw error;
      await sleep(200, undefined, { signal }).catch(() => {});
    }
    return version;
  }

  private parse(item: unknown): T | undefined {
    const result = this.schema.safeParse(item);
    if (!result.success) {
      console.warn(`${this.resource.plural}: an object is not understood: ${z.prettifyError(result.error)}`);
      return undefined;
    }
    delete result.data.metadata.managedFields;
    return result.data;
  }

  private put(object: T): void {
    const key = keyOf(object);
    const before = this.objects.get(key);
    if (before?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    // The same name with another uid is another object: the first one is gone.
    if (before !== undefined && before.metadata.uid !== object.metadata.uid) {
      this.drop(key);
      this.put(object);
      return;
    }
    if (before !== undefined) this.indexes.remove(key, before);
    this.objects.set(key, object);
    this.indexes.add(key, object);
    this.tell(key, before, object);
  }

  private drop(key: string, last?: T): void {
    const before = this.objects.get(key);
    if (before === undefined) return;
    this.indexes.remove(key, before);
    this.objects.delete(key);
    this.tell(key, last ?? before, undefined);
  }

  /** A handler that fails has missed this change, and nobody else has. */
  private tell(key: string, before: T | undefined, after: T | undefined): void {
    for (const handler of this.handlers) {
      try {
        handler(before, after);
      } catch (error) {
        console.error(`${this.resource.plural} ${key}: a handler failed:`, error);
      }
    }
  }
}
