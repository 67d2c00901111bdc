import { isObject } from '../json-diff';
import { patchDirective, retainKeys } from './merge-keys';

export interface FormEnv {
  name: string;
  /** Null: the variable is taken away. */
  value: string | null;
}

export interface FormMount {
  mountPath: string;
  /** The volume; null: what is mounted there is taken away. */
  volume: string | null;
  readOnly?: boolean;
  subPath?: string;
}

/** The kinds of volumes that the form can make. */
export type VolumeSource =
  | { kind: 'emptyDir'; medium?: 'Memory'; sizeLimit?: string }
  | { kind: 'configMap' | 'secret'; name: string }
  | { kind: 'persistentVolumeClaim'; name: string; readOnly?: boolean }
  | { kind: 'hostPath'; path: string };
export const volumeKinds = ['emptyDir', 'configMap', 'secret', 'persistentVolumeClaim', 'hostPath'] as const;

type Fields = Record<string, unknown>;

/** Whether the object has these fields and no others. */
function has(object: Fields, required: readonly string[], optional: readonly string[] = []): boolean {
  const keys = Object.keys(object);
  return (
    required.every((key) => keys.includes(key)) && keys.every((key) => required.includes(key) || optional.includes(key))
  );
}

const isDeletion = (item: Fields, key: string): boolean =>
  item[patchDirective] === 'delete' && has(item, [key, patchDirective]);

/** Undefined: the item says what no FormEnv says. */
export function readEnv(item: unknown): FormEnv | undefined {
  if (!isObject(item) || typeof item.name !== 'string') return undefined;
  const { name, value } = item;
  if (isDeletion(item, 'name')) return { name, value: null };
  // `valueFrom: null` takes away what the value replaces.
  const plain = has(item, ['name', 'value'], ['valueFrom']) && (item.valueFrom ?? null) === null;
  return plain && typeof value === 'string' ? { name, value } : undefined;
}

export function writeEnv({ name, value }: FormEnv): Fields {
  return value === null ? { name, [patchDirective]: 'delete' } : { name, value, valueFrom: null };
}

export function readMount(item: unknown): FormMount | undefined {
  if (!isObject(item) || typeof item.mountPath !== 'string') return undefined;
  const { mountPath, name, readOnly, subPath } = item;
  if (isDeletion(item, 'mountPath')) return { mountPath, volume: null };
  if (!has(item, ['mountPath', 'name'], ['readOnly', 'subPath']) || typeof name !== 'string') return undefined;
  const mount: FormMount = { mountPath, volume: name };
  if (typeof readOnly === 'boolean') mount.readOnly = readOnly;
  else if (readOnly !== undefined) return undefined;
  if (typeof subPath === 'string') mount.subPath = subPath;
  else if (subPath !== undefined) return undefined;
  return mount;
}

export function writeMount({ mountPath, volume, readOnly, subPath }: FormMount): Fields {
  if (volume === null) return { mountPath, [patchDirective]: 'delete' };
  return {
    mountPath,
    name: volume,
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(subPath === undefined ? {} : { subPath }),
  };
}

/** Null: the volume is taken away. Undefined: a kind or a field that the form does not know. */
export function readVolume(item: Fields): VolumeSource | null | undefined {
  if (isDeletion(item, 'name')) return null;
  const kind = volumeKinds.find((each) => has(item, ['name', each], [retainKeys]));
  const source = kind && item[kind];
  if (kind === undefined || !isObject(source)) return undefined;
  switch (kind) {
    case 'emptyDir':
      return readEmptyDir(source);
    case 'configMap':
      return has(source, ['name']) && typeof source.name === 'string' ? { kind, name: source.name } : undefined;
    case 'secret':
      return has(source, ['secretName']) && typeof source.secretName === 'string'
        ? { kind, name: source.secretName }
        : undefined;
    case 'persistentVolumeClaim':
      return readClaim(source);
    case 'hostPath':
      return has(source, ['path']) && typeof source.path === 'string' ? { kind, path: source.path } : undefined;
  }
}

function readEmptyDir(source: Fields): VolumeSource | undefined {
  const { medium, sizeLimit } = source;
  if (!has(source, [], ['medium', 'sizeLimit'])) return undefined;
  if (medium !== undefined && medium !== 'Memory') return undefined;
  if (sizeLimit !== undefined && typeof sizeLimit !== 'string') return undefined;
  return {
    kind: 'emptyDir',
    ...(medium === undefined ? {} : { medium }),
    ...(sizeLimit === undefined ? {} : { sizeLimit }),
  };
}

function readClaim(source: Fields): VolumeSource | undefined {
  const { claimName, readOnly } = source;
  if (!has(source, ['claimName'], ['readOnly']) || typeof claimName !== 'string') return undefined;
  if (readOnly !== undefined && typeof readOnly !== 'boolean') return undefined;
  return { kind: 'persistentVolumeClaim', name: claimName, ...(readOnly === undefined ? {} : { readOnly }) };
}

/** With the keys to retain, so that a volume of another kind becomes this one and not both at once. */
export function writeVolume(name: string, source: VolumeSource | null): Fields {
  if (source === null) return { name, [patchDirective]: 'delete' };
  const { kind } = source;
  return { [retainKeys]: ['name', kind], name, [kind]: sourceFields(source) };
}

function sourceFields(source: VolumeSource): Fields {
  switch (source.kind) {
    case 'emptyDir': {
      const { kind: _kind, ...rest } = source;
      return rest;
    }
    case 'configMap':
      return { name: source.name };
    case 'secret':
      return { secretName: source.name };
    case 'persistentVolumeClaim':
      return { claimName: source.name, ...(source.readOnly === undefined ? {} : { readOnly: source.readOnly }) };
    case 'hostPath':
      return { path: source.path };
  }
}
