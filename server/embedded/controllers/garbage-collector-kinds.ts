import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Api, ApiError } from './client/api';
import { Informer } from './client/informer';
import { type KubeObject, metadataSchema } from './client/objects';
import type { Resource } from './client/resources';
import { deletableResources } from './discovery';

/** A copy of the objects of one kind, of which the metadata at least is known. */
export interface Watched {
  resource: Resource;
  get(key: string): KubeObject | undefined;
  list(): Iterable<KubeObject>;
}

type Handler = (kind: Watched, before: KubeObject | undefined, after: KubeObject | undefined) => void;
type SharedInformer = Watched & { onChange: Informer<KubeObject>['onChange'] };

/** How long after one look for kinds the next one comes (kube-controller-manager's resync of the garbage collector). */
const RESYNC_MS = 30_000;
/** After an answer that was none. */
const RETRY_MS = 1_000;
/** A definition that changed is served, or gone, a moment later. */
const SETTLING_MS = 50;
/** Kinds that nobody waits for (the collector's ignored resources): they go by themselves. */
const IGNORED = ['events', 'events.events.k8s.io'];
const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

const ownedSchema = z.object({ metadata: metadataSchema });

export const idOf = ({ group, plural }: Resource): string => (group === '' ? plural : `${plural}.${group}`);

/**
 * Copies of every kind that can be deleted. Kinds come and go with their definitions; those that others watch already are
 * not watched twice.
 */
export class WatchedKinds {
  readonly #api: Api;
  readonly #shared: readonly SharedInformer[];
  readonly #onChange: Handler;
  readonly #onAdded: () => void;
  readonly #watched = new Map<string, { kind: Watched; stop(): void }>();
  #markSynced: () => void = () => {};
  #wake: () => void = () => {};
  /** Settles after the first list of every kind that there is at the start. */
  readonly synced = new Promise<void>((resolve) => {
    this.#markSynced = resolve;
  });

  /** `onAdded` is called when kinds have come that were not watched before. */
  constructor(api: Api, shared: readonly SharedInformer[], onChange: Handler, onAdded: () => void) {
    this.#api = api;
    this.#shared = shared;
    this.#onChange = onChange;
    this.#onAdded = onAdded;
    for (const informer of shared) {
      informer.onChange((before, after) => this.#tell(informer, before, after));
    }
  }

  byId(id: string): Watched | undefined {
    return this.#watched.get(id)?.kind;
  }

  /** The kind that an owner reference names, in whatever version; undefined where it is not served. */
  named(apiVersion: string, kind: string): Watched | undefined {
    const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
    for (const { kind: watched } of this.#watched.values()) {
      if (watched.resource.kind === kind && watched.resource.group === group) return watched;
    }
    return undefined;
  }

  /** Looks for kinds until the signal, again whenever a definition changes. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      let pauseMs = RESYNC_MS;
      try {
        await this.#resync(signal);
      } catch (error) {
        pauseMs = RETRY_MS;
        // A server that does not answer is asked again, without a word.
        const isAway = error instanceof ApiError && error.code === 0;
        if (!isAway && !signal.aborted) console.warn(`garbage collector: the kinds cannot be read: ${String(error)}`);
      }
      await Promise.race([woken, sleep(pauseMs, undefined, { signal }).catch(() => {})]);
      await sleep(SETTLING_MS, undefined, { signal }).catch(() => {});
    }
    for (const { stop } of this.#watched.values()) stop();
  }

  async #resync(signal: AbortSignal): Promise<void> {
    const resources = (await deletableResources(this.#api)).filter((resource) => !IGNORED.includes(idOf(resource)));
    const served = new Set(resources.map(idOf));
    for (const [id, { kind, stop }] of [...this.#watched]) {
      if (served.has(id)) continue;
      stop();
      // Its objects went with its definition; whether the watch said so before it ended is chance.
      if (this.byId(DEFINITIONS)?.get(id) === undefined)
        for (const object of kind.list()) this.#onChange(kind, object, undefined);
      this.#watched.delete(id);
    }
    const added = resources.filter((resource) => !this.#watched.has(idOf(resource)));
    await Promise.all(added.map((resource) => this.#watch(resource, signal)));
    if (added.length > 0) this.#onAdded();
    this.#markSynced();
  }

  async #watch(resource: Resource, signal: AbortSignal): Promise<void> {
    const id = idOf(resource);
    const shared = this.#shared.find((informer) => idOf(informer.resource) === id);
    if (shared !== undefined) {
      this.#watched.set(id, { kind: shared, stop: () => {} });
      for (const object of shared.list()) this.#onChange(shared, undefined, object);
      return;
    }
    const informer = new Informer<KubeObject>(this.#api, resource, ownedSchema);
    const ending = new AbortController();
    informer.onChange((before, after) => this.#tell(informer, before, after));
    this.#watched.set(id, { kind: informer, stop: () => ending.abort() });
    const running = informer.run(AbortSignal.any([signal, ending.signal]));
    // Whoever is stopped before the first answer never has one.
    await Promise.race([informer.synced, running]);
  }

  #tell(kind: Watched, before: KubeObject | undefined, after: KubeObject | undefined): void {
    const id = idOf(kind.resource);
    if (id === DEFINITIONS) this.#wake();
    if (this.#watched.get(id)?.kind === kind) this.#onChange(kind, before, after);
  }
}
