import { BUILT_IN_KINDS } from './built-in-kinds';
import { idOf, type KindDefinition, type PrinterColumn } from './kinds';
import { fieldsOf, isFields, type KubeObject, listOf, textOf } from './objects';
import { type Storage, timestamp } from './storage';
import type { StructuralSchema } from './structural-schema';

const CRDS = 'customresourcedefinitions.apiextensions.k8s.io';
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** The kinds that are served: the built-in ones and one for each CustomResourceDefinition in the storage. */
export class KindRegistry {
  readonly #kinds = new Map<string, KindDefinition>();
  readonly #storage: Storage;
  readonly #unsubscribe: () => void;
  /** Called when a definition has been deleted: its objects are gone and its watches must end. */
  onRemoved: (id: string) => void = () => {};

  constructor(storage: Storage) {
    this.#storage = storage;
    for (const kind of BUILT_IN_KINDS) this.#add(kind);
    const definitions = storage.collection(CRDS);
    for (const { object } of definitions.items.values()) this.#serve(object);
    this.#unsubscribe = definitions.subscribe(({ type, version }) => {
      if (type === 'DELETED') this.#remove(version.object);
      else this.#serve(version.object);
      if (type === 'ADDED') setImmediate(() => this.#establish(version.key));
    });
  }

  /** Stops following the storage. */
  close(): void {
    this.#unsubscribe();
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

  #add(kind: KindDefinition): void {
    this.#kinds.set(`${kind.group}/${kind.version}/${kind.plural}`, kind);
  }

  #serve(definition: KubeObject): void {
    for (const kind of kindsOf(definition)) this.#add(kind);
  }

  /** A definition is accepted a moment after it was made. */
  #establish(key: string): void {
    const object = this.#storage.collection(CRDS).items.get(key)?.object;
    if (object === undefined || Array.isArray(fieldsOf(object, 'status').conditions)) return;
    this.#storage.put(CRDS, key, { ...object, status: establishedStatus(object) });
  }

  #remove(definition: KubeObject): void {
    for (const kind of kindsOf(definition)) {
      this.#kinds.delete(`${kind.group}/${kind.version}/${kind.plural}`);
      const id = idOf(kind);
      for (const key of [...this.#storage.collection(id).keys]) this.#storage.remove(id, key);
      this.onRemoved(id);
    }
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

function kindsOf(definition: KubeObject): KindDefinition[] {
  const names = fieldsOf(definition, 'spec', 'names');
  const plural = textOf(names, 'plural');
  const kind = textOf(names, 'kind');
  return listOf(definition, 'spec', 'versions')
    .filter((version) => isFields(version) && version.served === true)
    .map((version) => {
      const subresources = fieldsOf(version, 'subresources');
      const categories = listOf(names, 'categories').filter(isText);
      return {
        group: textOf(definition, 'spec', 'group'),
        version: textOf(version, 'name'),
        kind,
        listKind: textOf(names, 'listKind') || `${kind}List`,
        plural,
        singular: textOf(names, 'singular') || kind.toLowerCase(),
        shortNames: listOf(names, 'shortNames').filter(isText),
        ...(categories.length === 0 ? {} : { categories }),
        namespaced: textOf(definition, 'spec', 'scope') === 'Namespaced',
        verbs: CUSTOM_VERBS,
        subresources: (['status', 'scale'] as const).filter((name) => subresources[name] !== undefined),
        generation: true,
        fieldSelectors: [],
        custom: {
          schema: fieldsOf(version, 'schema', 'openAPIV3Schema') as StructuralSchema,
          columns: listOf(version, 'additionalPrinterColumns') as PrinterColumn[],
        },
      };
    });
}

/** The status of a definition that nobody has looked at yet. */
export function pendingStatus(definition: KubeObject): object {
  return { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: versionsOf(definition) };
}

const versionsOf = (definition: KubeObject) =>
  listOf(definition, 'spec', 'versions').map((version) => textOf(version, 'name'));

/** The status that the API server's own controllers give a definition: accepted and served at once. */
export function establishedStatus(definition: KubeObject): object {
  const now = timestamp();
  const names = fieldsOf(definition, 'spec', 'names');
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    lastTransitionTime: now,
    reason,
    message,
  });
  return {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: names,
    storedVersions: versionsOf(definition),
  };
}
