import { idOf, type KindDefinition } from './kind-definition';
import type { Storage } from './storage';

/** The kinds that are served. */
export class KindRegistry {
  readonly #kinds = new Map<string, KindDefinition>();
  readonly #storage: Storage;
  /** Called when a kind is no longer served: its watches must end. */
  onRemoved: (id: string) => void = () => {};

  constructor(storage: Storage, kinds: readonly KindDefinition[]) {
    this.#storage = storage;
    for (const kind of kinds) this.add(kind);
  }

  find(group: string, version: string, plural: string): KindDefinition | undefined {
    return this.#kinds.get(`${group}/${version}/${plural}`);
  }

  all(): KindDefinition[] {
    return [...this.#kinds.values()];
  }

  /** Whether an API group version exists. */
  serves(group: string, version: string): boolean {
    return this.all().some((kind) => kind.group === group && kind.version === version);
  }

  /** Serves a kind, in the place of one with its name. */
  add(kind: KindDefinition): void {
    this.#kinds.set(`${kind.group}/${kind.version}/${kind.plural}`, kind);
  }

  /** Stops serving a kind. Its objects stay: another version may serve them, or this one again. */
  remove(kind: KindDefinition): void {
    this.#kinds.delete(`${kind.group}/${kind.version}/${kind.plural}`);
    this.onRemoved(idOf(kind));
  }

  /** Removes the objects of a kind that goes. */
  clear(kind: Pick<KindDefinition, 'group' | 'plural'>): void {
    const id = idOf(kind);
    for (const key of [...this.#storage.collection(id).keys]) this.#storage.remove(id, key);
  }
}
