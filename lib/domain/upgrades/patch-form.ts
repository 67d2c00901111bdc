import { isObject } from '../json-diff';
import { fieldPath, isDirective, patchDirective } from './merge-keys';
import { type FormEnv, type FormMount, readEnv, readMount, readVolume, type VolumeSource } from './patch-form-items';

export type { FormEnv, FormMount, VolumeSource } from './patch-form-items';

/** What a patch says of one container, as far as fields of a form can show it. */
export interface FormContainer {
  name: string;
  init: boolean;
  image?: string;
  env: FormEnv[];
  /** `value` null: the resource is taken away. */
  resources: { kind: 'requests' | 'limits'; resource: string; value: string | null }[];
  mounts: FormMount[];
}

export interface PatchForm {
  containers: FormContainer[];
  /** `source` null: the volume is taken away. */
  volumes: { name: string; source: VolumeSource | null }[];
  /** Paths of what the patch says besides; it stays in the patch untouched. */
  beyondForm: string[];
}

/** A strategic merge patch seen as the fields of a form. The patch must be one that patchProblem finds nothing in. */
export function readForm(patch: Readonly<Record<string, unknown>>): PatchForm {
  const beyondForm: string[] = [];
  const beyond = (path: string) => void beyondForm.push(path);
  const form: PatchForm = { containers: [], volumes: [], beyondForm };
  for (const [key, value] of Object.entries(patch)) {
    if (key !== 'spec' || !isObject(value)) {
      beyond(key);
      continue;
    }
    for (const [field, list] of Object.entries(value)) {
      const path = fieldPath('spec', field);
      const isContainers = field === 'containers' || field === 'initContainers';
      if (!Array.isArray(list) || !(isContainers || field === 'volumes')) beyond(path);
      else if (isContainers) form.containers.push(...containersOf(list, field === 'initContainers', path, beyond));
      else form.volumes.push(...volumesOf(list, path, beyond));
    }
  }
  return form;
}

type Beyond = (path: string) => void;

/** Items that are named plainly; what else a list holds is beyond the form. */
function namedItems(
  list: unknown[],
  path: string,
  beyond: Beyond,
): { name: string; item: Record<string, unknown>; at: string }[] {
  return list.flatMap((item, index) => {
    if (isObject(item) && typeof item.name === 'string')
      return [{ name: item.name, item, at: `${path}[${item.name}]` }];
    beyond(`${path}[${index}]`);
    return [];
  });
}

function containersOf(list: unknown[], init: boolean, path: string, beyond: Beyond): FormContainer[] {
  return namedItems(list, path, beyond).flatMap(({ name, item, at }) => {
    if (patchDirective in item) {
      beyond(at);
      return [];
    }
    const container: FormContainer = { name, init, env: [], resources: [], mounts: [] };
    for (const [field, value] of Object.entries(item)) {
      const inner = fieldPath(at, field);
      if (field === 'name') continue;
      if (field === 'image' && typeof value === 'string') container.image = value;
      else if (field === 'env' && Array.isArray(value)) container.env = readItems(value, inner, readEnv, beyond);
      else if (field === 'volumeMounts' && Array.isArray(value))
        container.mounts = readItems(value, inner, readMount, beyond);
      else if (field === 'resources' && isObject(value)) container.resources = resourcesOf(value, inner, beyond);
      else beyond(inner);
    }
    return [container];
  });
}

function readItems<T>(list: unknown[], path: string, read: (item: unknown) => T | undefined, beyond: Beyond): T[] {
  return list.flatMap((item, index) => {
    const found = read(item);
    if (found === undefined) beyond(`${path}[${nameOf(item) ?? index}]`);
    return found === undefined ? [] : [found];
  });
}

const nameOf = (item: unknown): string | undefined =>
  isObject(item) ? [item.mountPath, item.name].find((name) => typeof name === 'string') : undefined;

function resourcesOf(resources: Record<string, unknown>, path: string, beyond: Beyond): FormContainer['resources'] {
  return Object.entries(resources).flatMap(([kind, quantities]) => {
    if ((kind !== 'requests' && kind !== 'limits') || !isObject(quantities)) {
      beyond(fieldPath(path, kind));
      return [];
    }
    return Object.entries(quantities).flatMap(([resource, value]) => {
      const known = value === null || typeof value === 'string' || typeof value === 'number';
      if (!known || isDirective(resource)) beyond(fieldPath(fieldPath(path, kind), resource));
      return known && !isDirective(resource)
        ? [{ kind, resource, value: value === null ? null : String(value) } as const]
        : [];
    });
  });
}

function volumesOf(list: unknown[], path: string, beyond: Beyond): PatchForm['volumes'] {
  return namedItems(list, path, beyond).flatMap(({ name, item, at }) => {
    const source = readVolume(item);
    if (source === undefined) beyond(at);
    return source === undefined ? [] : [{ name, source }];
  });
}
