import { isObject } from '../json-diff';
import type { FormEnv, FormMount, VolumeSource } from './patch-form-items';
import { writeEnv, writeMount, writeVolume } from './patch-form-items';

type Fields = Record<string, unknown>;

/** A container of the template: `init` looks among the init containers. */
interface In {
  container: string;
  init?: boolean;
}

/** One change of a field. `remove*` and undefined take the field out of the patch: the template keeps what it has. */
export type PatchEdit =
  | ({ what: 'image'; image: string | undefined } & In)
  | ({ what: 'env'; env: FormEnv } & In)
  | ({ what: 'removeEnv'; name: string } & In)
  | ({ what: 'resource'; kind: 'requests' | 'limits'; resource: string; value: string | null | undefined } & In)
  | ({ what: 'mount'; mount: FormMount } & In)
  | ({ what: 'removeMount'; mountPath: string } & In)
  | { what: 'volume'; name: string; source: VolumeSource | null }
  | { what: 'removeVolume'; name: string };

/** The patch with one field changed; all else in it stays as it is, and what would say nothing any more is left out. */
export function editPatch(patch: Readonly<Fields>, edit: PatchEdit): Fields {
  if (edit.what === 'volume' || edit.what === 'removeVolume') {
    const { name } = edit;
    const item = edit.what === 'volume' ? writeVolume(name, edit.source) : undefined;
    return withField(patch, 'spec', (spec) => withItem(fieldsOf(spec), 'volumes', 'name', name, () => item));
  }
  const list = edit.init ? 'initContainers' : 'containers';
  return withField(patch, 'spec', (spec) =>
    withItem(fieldsOf(spec), list, 'name', edit.container, (item) => {
      const container = editContainer(item ?? { name: edit.container }, edit);
      return Object.keys(container).length > 1 ? container : undefined;
    }),
  );
}

type ContainerEdit = Extract<PatchEdit, In>;

function editContainer(container: Fields, edit: ContainerEdit): Fields {
  switch (edit.what) {
    case 'image':
      return withField(container, 'image', () => edit.image);
    case 'env':
      return withItem(container, 'env', 'name', edit.env.name, () => writeEnv(edit.env)) ?? {};
    case 'removeEnv':
      return withItem(container, 'env', 'name', edit.name, () => undefined) ?? {};
    case 'mount':
      return withItem(container, 'volumeMounts', 'mountPath', edit.mount.mountPath, () => writeMount(edit.mount)) ?? {};
    case 'removeMount':
      return withItem(container, 'volumeMounts', 'mountPath', edit.mountPath, () => undefined) ?? {};
    case 'resource':
      return withField(container, 'resources', (resources) =>
        orNothing(
          withField(fieldsOf(resources), edit.kind, (quantities) =>
            orNothing(withField(fieldsOf(quantities), edit.resource, () => edit.value)),
          ),
        ),
      );
  }
}

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
const orNothing = (fields: Fields): Fields | undefined => (Object.keys(fields).length === 0 ? undefined : fields);

/** A copy in which one field is what `change` makes of it, in its place; undefined takes it out. */
function withField(fields: Readonly<Fields>, key: string, change: (value: unknown) => unknown): Fields {
  const value = change(Object.hasOwn(fields, key) ? fields[key] : undefined);
  if (value !== undefined) return { ...fields, [key]: value };
  const { [key]: _gone, ...rest } = fields;
  return rest;
}

/** The same for the item of a list; a list that becomes empty goes, and so do fields that have nothing left. */
function withItem(
  fields: Fields,
  list: string,
  key: string,
  name: string,
  change: (item: Fields | undefined) => Fields | undefined,
): Fields | undefined {
  return orNothing(
    withField(fields, list, (value) => {
      const items: unknown[] = Array.isArray(value) ? value : [];
      const index = items.findIndex((item) => isObject(item) && item[key] === name);
      const old = items[index];
      const item = change(isObject(old) ? old : undefined);
      const changed = index < 0 ? [...items, item] : items.map((each, at) => (at === index ? item : each));
      const left = changed.filter((each) => each !== undefined);
      return left.length === 0 ? undefined : left;
    }),
  );
}
