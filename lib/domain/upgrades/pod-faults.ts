import type { PatchFault } from '@/lib/contracts/patch-fault';
import { anyLabelSelector } from '@/lib/contracts/upgrades';
import { isObject } from '../json-diff';
import type { Template } from '../templates';
import { containerFaults, nameFault } from './container-faults';
import { faultAt } from './patch-fault';
import { quantityFault } from './resource-faults';

type Fields = Record<string, unknown>;

/**
 * Why the API server will refuse the Pod of a merged template, whatever else there is in the cluster: rules of Pod
 * validation (kubernetes/pkg/apis/core/validation at 1.35) that are certain. It is not asked for them when an operation is
 * created, where the patch is any object. What the template had before is not blamed on the change.
 * @param claims volumes that the sandbox brings besides its template: spec.volumeClaimTemplates
 */
export function podFaults(before: Template, after: Template, claims: readonly string[]): PatchFault[] {
  const known = new Set([...faultsOf(before, claims)].map(textOf));
  return [...faultsOf(after, claims)].filter((fault) => !known.has(textOf(fault)));
}

const textOf = ({ path, code, values }: PatchFault) => JSON.stringify([path, code, values]);

function* faultsOf({ metadata, spec }: Template, claims: readonly string[]): Generator<PatchFault> {
  if (isObject(metadata)) yield* labelFaults(metadata.labels);
  if (!isObject(spec)) return;
  const volumes = itemsOf(spec.volumes);
  const names = [...volumes.map(({ name }) => String(name)), ...claims];
  const taken = new Set<unknown>();
  for (const list of ['containers', 'initContainers'] as const) {
    for (const container of itemsOf(spec[list])) {
      const path = `spec.${list}[${String(container.name)}]`;
      if (taken.has(container.name)) {
        yield faultAt(`${path}.name`, 'duplicate', { value: String(container.name) });
      }
      taken.add(container.name);
      yield* containerFaults(container, path, names);
    }
  }
  for (const volume of volumes) yield* volumeFaults(volume);
}

const itemsOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

function* labelFaults(labels: unknown): Generator<PatchFault> {
  if (!isObject(labels)) return;
  for (const [key, value] of Object.entries(labels)) {
    if (anyLabelSelector.safeParse({ matchLabels: { [key]: value } }).success) continue;
    yield faultAt(`metadata.labels.${key}`, 'notALabel', { value: `${key}=${String(value)}` });
  }
}

/** What the form makes, and what names another object: without its name there is no such object. */
const needed: Readonly<Record<string, string>> = {
  configMap: 'name',
  secret: 'secretName',
  persistentVolumeClaim: 'claimName',
  hostPath: 'path',
};

function* volumeFaults(volume: Fields): Generator<PatchFault> {
  const path = `spec.volumes[${String(volume.name)}]`;
  const name = nameFault(volume.name, `${path}.name`);
  if (name) yield name;
  const sources = Object.keys(volume).filter((key) => key !== 'name' && isObject(volume[key]));
  if (sources.length > 1) yield faultAt(path, 'manySources', { value: sources.join(', ') });
  for (const kind of sources) {
    const source = volume[kind];
    if (!isObject(source)) continue;
    const field = needed[kind];
    if (field !== undefined && (source[field] ?? '') === '') yield faultAt(`${path}.${kind}.${field}`, 'required', {});
    if (kind !== 'emptyDir' || source.sizeLimit === undefined) continue;
    const size = quantityFault(source.sizeLimit, `${path}.emptyDir.sizeLimit`);
    if (size) yield size;
  }
}
