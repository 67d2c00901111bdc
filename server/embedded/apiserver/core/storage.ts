import { randomUUID } from 'node:crypto';
import { now } from './clock';
import type { KubeObject } from './objects';

/** One version of one object, with its JSON made once for every reader. */
export class Version {
  #json: string | undefined;

  constructor(
    readonly key: string,
    readonly object: KubeObject,
    readonly resourceVersion: number,
  ) {}

  /** The object as JSON, beginning with `kind` and `apiVersion`. */
  get json(): string {
    if (this.#json === undefined) {
      const { kind, apiVersion, ...rest } = this.object;
      this.#json = JSON.stringify({ kind, apiVersion, ...rest });
    }
    return this.#json;
  }
}

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One write. `version` of a DELETED change is the last state, carrying the resourceVersion of the delete. */
export class Change {
  #line: Buffer | undefined;

  constructor(
    readonly type: ChangeType,
    readonly version: Version,
    readonly previous: Version | undefined,
  ) {}

  get resourceVersion(): number {
    return this.version.resourceVersion;
  }

  /** The watch event as a line of JSON, made once for every watcher. */
  get line(): Buffer {
    this.#line ??= Buffer.from(`{"type":"${this.type}","object":${this.version.json}}\n`);
    return this.#line;
  }
}

/** The key of an object inside its collection; sorts by namespace, then name, as etcd does. */
export function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Every object of one kind, with the recent changes that a watch may resume from. */
export class Collection {
  readonly items = new Map<string, Version>();
  readonly #listeners = new Set<(change: Change) => void>();
  #history: Change[] = [];
  #sortedKeys: string[] | undefined;
  /** Changes up to and including this resourceVersion are forgotten. */
  compactedTo = 0;

  constructor(readonly historyLimit: number) {}

  /** Keys in order. */
  get keys(): readonly string[] {
    this.#sortedKeys ??= [...this.items.keys()].sort();
    return this.#sortedKeys;
  }

  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  record(change: Change): void {
    const { key } = change.version;
    if (change.type !== 'MODIFIED') this.#sortedKeys = undefined;
    if (change.type === 'DELETED') this.items.delete(key);
    else this.items.set(key, change.version);
    this.#history.push(change);
    // Dropping half at a time keeps a push cheap.
    if (this.#history.length > this.historyLimit * 2) this.#forget(this.#history.length - this.historyLimit);
    for (const listener of this.#listeners) listener(change);
  }

  /** Changes after a resourceVersion in order, or undefined when they are no longer all known. */
  since(resourceVersion: number): Change[] | undefined {
    if (resourceVersion < this.compactedTo) return undefined;
    return this.#history.slice(this.#firstAfter(resourceVersion));
  }

  /** The state at a resourceVersion, as keys in order and a lookup, or undefined when it is too old. */
  snapshotAt(resourceVersion: number): { keys: readonly string[]; get(key: string): Version | undefined } | undefined {
    const changes = this.since(resourceVersion);
    if (changes === undefined) return undefined;
    if (changes.length === 0) return { keys: this.keys, get: (key) => this.items.get(key) };
    const before = new Map<string, Version | undefined>();
    for (const change of changes) {
      if (!before.has(change.version.key)) before.set(change.version.key, change.previous);
    }
    const keys = new Set(this.keys);
    for (const [key, version] of before) {
      if (version === undefined) keys.delete(key);
      else keys.add(key);
    }
    return { keys: [...keys].sort(), get: (key) => (before.has(key) ? before.get(key) : this.items.get(key)) };
  }

  /** Forgets all history, as compaction does. */
  compact(resourceVersion: number): void {
    this.#history = [];
    this.compactedTo = resourceVersion;
  }

  #forget(count: number): void {
    const last = this.#history[count - 1];
    if (last !== undefined) this.compactedTo = last.resourceVersion;
    this.#history = this.#history.slice(count);
  }

  #firstAfter(resourceVersion: number): number {
    let low = 0;
    let high = this.#history.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const change = this.#history[middle];
      if (change !== undefined && change.resourceVersion <= resourceVersion) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * The cluster's data in memory: one counter of resourceVersions for every kind, one collection a kind.
 * It outlives the server that serves it, so that a server can be stopped and started again on the same data.
 */
export class Storage {
  readonly #collections = new Map<string, Collection>();
  /** Nothing is known of what was before this, of any kind. */
  #floor = 0;
  resourceVersion = 1;

  /** `historyLimit` is the least number of changes a kind remembers. */
  constructor(readonly historyLimit = 10_000) {}

  /** `id` is `<plural>.<group>`, or the plural alone for the core group. */
  collection(id: string): Collection {
    let collection = this.#collections.get(id);
    if (collection === undefined) {
      collection = new Collection(this.historyLimit);
      collection.compactedTo = this.#floor;
      this.#collections.set(id, collection);
    }
    return collection;
  }

  /** Stores a new version of an object under the next resourceVersion. */
  put(id: string, key: string, object: KubeObject): Version {
    const collection = this.collection(id);
    const previous = collection.items.get(key);
    const version = this.#next(key, object);
    collection.record(new Change(previous === undefined ? 'ADDED' : 'MODIFIED', version, previous));
    return version;
  }

  /** Removes an object; its last state gets the resourceVersion of the delete. */
  remove(id: string, key: string): Version | undefined {
    const collection = this.collection(id);
    const previous = collection.items.get(key);
    if (previous === undefined) return undefined;
    const version = this.#next(key, previous.object);
    collection.record(new Change('DELETED', version, previous));
    return version;
  }

  /** Drops all history: every older resourceVersion is answered with 410 from now on. */
  compact(): void {
    this.#floor = this.resourceVersion;
    for (const collection of this.#collections.values()) collection.compact(this.resourceVersion);
  }

  #next(key: string, object: KubeObject): Version {
    this.resourceVersion += 1;
    const metadata = { ...object.metadata, resourceVersion: String(this.resourceVersion) };
    return new Version(key, { ...object, metadata }, this.resourceVersion);
  }
}

export function newUid(): string {
  return randomUUID();
}

/** The time as Kubernetes writes it: whole seconds, UTC. */
export function timestamp(milliseconds = now()): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
