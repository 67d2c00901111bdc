import { checkEscalation } from '../auth/validate-roles';
import { decodeObject, type WriteOptions } from '../decode';
import type { KubeObject } from '../objects';
import type { ResourceRequest } from '../resource-handler';
import { notFound } from '../status';
import type { Storage } from '../storage';
import { create, partOf, readOrNothing, update } from '../writes';
import { apply } from './apply';
import { readConfiguration } from './configuration';

/** Answers a PATCH with an applied configuration, which creates what is not there yet. */
export function applyConfiguration(
  storage: Storage,
  { caller, target, subresource, query, body }: ResourceRequest,
  options: WriteOptions,
): { code: number; object: KubeObject } {
  const { kind, name } = target;
  const configuration = readConfiguration(kind, name, body);
  const current = readOrNothing(storage, target);
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
  checkEscalation(storage, caller, target, draft);
  const owners = () => managers;
  if (current === undefined) {
    // A version in a configuration speaks of what is there.
    const { resourceVersion: _none, ...metadata } = draft.metadata;
    return { code: 201, object: create(storage, target, { ...draft, metadata }, options.dryRun, owners) };
  }
  const part = partOf(subresource);
  return { code: 200, object: update(storage, target, current, draft, part, options.dryRun, owners) };
}
