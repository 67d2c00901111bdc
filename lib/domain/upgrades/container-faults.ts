import type { PatchFault } from '@/lib/contracts/patch-fault';
import { isObject } from '../json-diff';
import { faultAt } from './patch-fault';
import { resourceFaults } from './resource-faults';

type Fields = Record<string, unknown>;

/** A name as DNS has it in one of its parts: of a container, of a volume. */
export function nameFault(name: unknown, path: string): PatchFault | undefined {
  if ((name ?? '') === '') return faultAt(path, 'required', {});
  const text = String(name);
  const isName = text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text);
  return isName ? undefined : faultAt(path, 'notAName', { value: text });
}

/** What the API server refuses of one container at `path`; `volumes` are those of its Pod. */
export function* containerFaults(container: Fields, path: string, volumes: readonly string[]): Generator<PatchFault> {
  const { name, image, imagePullPolicy } = container;
  const named = nameFault(name, `${path}.name`);
  if (named) yield named;
  if ((image ?? '') === '') yield faultAt(`${path}.image`, 'required', {});
  else if (typeof image === 'string' && image.trim() !== image) {
    yield faultAt(`${path}.image`, 'edgeSpace', { value: image });
  }
  yield* oneOf(imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], `${path}.imagePullPolicy`);
  yield* resourceFaults(container.resources, `${path}.resources`);
  for (const item of itemsOf(container.env)) yield* envFaults(item, `${path}.env[${String(item.name)}]`);
  for (const item of itemsOf(container.ports)) yield* portFaults(item, `${path}.ports[${String(item.containerPort)}]`);
  yield* mountFaults(itemsOf(container.volumeMounts), `${path}.volumeMounts`, volumes);
}

const itemsOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

function* oneOf(value: unknown, allowed: readonly string[], path: string): Generator<PatchFault> {
  if (typeof value !== 'string' || value === '' || allowed.includes(value)) return;
  yield faultAt(path, 'notOneOf', { value, allowed: allowed.join(', ') });
}

function* envFaults({ name, value, valueFrom }: Fields, path: string): Generator<PatchFault> {
  if ((name ?? '') === '') yield faultAt(`${path}.name`, 'required', {});
  if ((value ?? '') !== '' && isObject(valueFrom)) yield faultAt(path, 'valueAndSource', {});
}

function* portFaults({ containerPort, protocol }: Fields, path: string): Generator<PatchFault> {
  const port = Number(containerPort);
  if (!(port >= 1 && port <= 65_535)) yield faultAt(path, 'notAPort', { value: String(containerPort) });
  yield* oneOf(protocol, ['TCP', 'UDP', 'SCTP'], `${path}.protocol`);
}

function* mountFaults(mounts: Fields[], path: string, volumes: readonly string[]): Generator<PatchFault> {
  const taken = new Set<unknown>();
  for (const { name, mountPath } of mounts) {
    const at = `${path}[${String(mountPath)}]`;
    if ((name ?? '') === '') yield faultAt(`${at}.name`, 'required', {});
    else if (!volumes.includes(String(name))) {
      yield faultAt(`${at}.name`, 'noVolume', { value: String(name), there: volumes.join(', ') || 'none' });
    }
    if ((mountPath ?? '') === '') yield faultAt(`${at}.mountPath`, 'required', {});
    else if (taken.has(mountPath)) yield faultAt(`${at}.mountPath`, 'duplicate', { value: String(mountPath) });
    taken.add(mountPath);
  }
}
