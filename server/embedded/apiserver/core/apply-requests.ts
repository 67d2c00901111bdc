import { apply } from '../managed-fields/apply';
import { readConfiguration } from '../managed-fields/configuration';
import type { Cluster } from './admission';
import { create } from './create';
import { decodeObject } from './decode';
import type { KubeObject } from './objects';
import { readOrNothing } from './reads';
import type { ResourceRequest } from './requests';
import { notFound } from './status';
import { partOf, update } from './update';
import type { WriteOptions } from './write-options';

/** Answers a PATCH with an applied configuration, which creates what is not there yet. */
export function applyConfiguration(
  cluster: Cluster,
  { caller, target, subresource, query, body }: ResourceRequest,
  options: WriteOptions,
): { code: number; object: KubeObject } {
  const { kind, name } = target;
  const configuration = readConfiguration(kind, name, body);
  const current = readOrNothing(cluster.storage, target);
  if (current === undefined && subresource !== '') throw notFound(kind, name);
  const manager = { name: query.get('fieldManager') ?? '', subresource };
  const force = query.get('force') === 'true';
  const { document, managers } = apply(kind, current?.object, configuration, manager, force);
  const draft = decodeObject(
    kind,
    document,
    { ...options, fieldValidation: 'Ignore' },
    { patched: true, duplicates: [] },
  );
  for (const plugin of cluster.admission) plugin.check?.(caller, target, draft);
  const owners = () => managers;
  if (current === undefined) {
    // A version in a configuration speaks of what is there.
    const { resourceVersion: _none, ...metadata } = draft.metadata;
    return { code: 201, object: create(cluster, target, { ...draft, metadata }, options.dryRun, owners) };
  }
  const part = partOf(subresource);
  return { code: 200, object: update(cluster, target, current, draft, part, options.dryRun, owners) };
}
