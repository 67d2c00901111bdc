import type { TemplateGroup } from '@/lib/contracts/upgrade-preview';
import { isObject } from '@/lib/domain/json-diff';

/** A container as the sandboxes' templates have it now. What differs between templates stands in there more than once. */
export type ContainerNow = {
  name: string;
  init: boolean;
  images: string[];
  /** `requests.cpu` and so on. */
  resources: Map<string, string[]>;
  /** Values by name; a reference or a hidden value has none. */
  env: Map<string, string[]>;
  /** Volumes by path. */
  mounts: Map<string, string[]>;
};

type Item = Record<string, unknown>;
const items = (value: unknown): Item[] => (Array.isArray(value) ? value.filter(isObject) : []);
const fields = (value: unknown): Item => (isObject(value) ? value : {});

function add(map: Map<string, string[]>, key: unknown, value: unknown): void {
  if (typeof key !== 'string') return;
  const values = map.get(key) ?? [];
  if ((typeof value === 'string' || typeof value === 'number') && !values.includes(String(value))) {
    values.push(String(value));
  }
  map.set(key, values);
}

/** Main containers first, in the order of the templates. */
export function containersNow(groups: readonly Pick<TemplateGroup, 'before'>[]): ContainerNow[] {
  const found = new Map<string, ContainerNow>();
  for (const init of [false, true]) {
    for (const { before } of groups) {
      for (const container of items(fields(before.spec)[init ? 'initContainers' : 'containers'])) {
        if (typeof container.name !== 'string') continue;
        const key = `${init}/${container.name}`;
        const now = found.get(key) ?? empty(container.name, init);
        found.set(key, now);
        if (typeof container.image === 'string' && !now.images.includes(container.image))
          now.images.push(container.image);
        for (const kind of ['requests', 'limits']) {
          for (const [resource, value] of Object.entries(fields(fields(container.resources)[kind]))) {
            add(now.resources, `${kind}.${resource}`, value);
          }
        }
        for (const { name, value } of items(container.env)) add(now.env, name, value);
        for (const { mountPath, name } of items(container.volumeMounts)) add(now.mounts, mountPath, name);
      }
    }
  }
  return [...found.values()];
}

const empty = (name: string, init: boolean): ContainerNow => ({
  name,
  init,
  images: [],
  resources: new Map(),
  env: new Map(),
  mounts: new Map(),
});

/** Names of the volumes that any of the templates has. */
export function volumesNow(groups: readonly Pick<TemplateGroup, 'before'>[]): string[] {
  const names = groups.flatMap(({ before }) => items(fields(before.spec).volumes).map(({ name }) => name));
  return [...new Set(names.filter((name) => typeof name === 'string'))].sort();
}
