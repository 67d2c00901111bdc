import type { KindDefinition } from '../core/kind-definition';
import { deepEqual, type Fields, type KubeObject } from '../core/objects';
import { StatusError } from '../core/status';
import { timestamp } from '../core/storage';
import { compare, overlay, ownedBy, prune } from './compare';
import { intersect, isEmpty, pathsOf, subtract, union } from './field-set';
import { entryOf, type ManagedFieldsEntry, type Manager, ownable, sameManager, settled } from './managers';
import { shapeOf } from './shape';

/** What an applied configuration makes of an object, and who owns what then. */
export interface Applied {
  document: Fields;
  managers: ManagedFieldsEntry[];
}

/**
 * Server-side apply: lays the configuration over the object, takes away what this manager applied before and says no more,
 * and refuses to change what others own unless forced. (structured-merge-diff, as kube-apiserver 1.35 uses it)
 */
export function apply(
  kind: KindDefinition,
  live: KubeObject | undefined,
  configuration: Fields,
  manager: Manager,
  force: boolean,
): Applied {
  const shape = shapeOf(kind);
  const old = live === undefined ? [] : (live.metadata.managedFields ?? [beforeFirstApply(kind, live)]);
  const mine = old.find((entry) => sameManager(entry, manager, 'Apply'));
  const others = old.filter((entry) => entry !== mine);
  const fields = ownable(ownedBy(configuration, shape), kind, manager.subresource);
  const merged = overlay(live ?? {}, configuration, shape);
  const document = prune(
    merged,
    mine?.fieldsV1 ?? {},
    fields,
    others.map((entry) => entry.fieldsV1),
    shape,
  ) as Fields;
  const { changed, removed } = compare(live ?? {}, document, shape);
  const conflicts = others
    .map((entry) => ({ entry, set: intersect(entry.fieldsV1, changed) }))
    .filter(({ set }) => !isEmpty(set));
  if (conflicts.length > 0 && !force) throw refused(conflicts);
  const taken = union(changed, removed);
  const left = others.map((entry) => ({ ...entry, fieldsV1: subtract(entry.fieldsV1, taken) }));
  const same = mine !== undefined && isEmpty(intersect(fields, changed)) && deepEqual(mine.fieldsV1, fields);
  // An apply that changes no value has no time of its own.
  const { time: _now, ...undated } = entryOf(kind, manager, 'Apply', fields);
  const dated = isEmpty(taken) && live !== undefined ? mine?.time : timestamp();
  const own = same ? mine : { ...undated, ...(dated === undefined ? {} : { time: dated }) };
  return { document, managers: settled([...left, own], old, own) };
}

/** An object that nobody is known to own belongs to whoever was there before. */
function beforeFirstApply(kind: KindDefinition, live: KubeObject): ManagedFieldsEntry {
  const set = ownable(ownedBy(live, shapeOf(kind)), kind, '');
  return entryOf(kind, { name: 'before-first-apply', subresource: '' }, 'Update', set);
}

function named({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  const through = subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(manager)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

function refused(conflicts: readonly { entry: ManagedFieldsEntry; set: object }[]): StatusError {
  const found = conflicts
    .map(({ entry, set }) => ({ who: named(entry), paths: pathsOf(set as ManagedFieldsEntry['fieldsV1']) }))
    .sort((a, b) => (a.who < b.who ? -1 : 1));
  const causes = found.flatMap(({ who, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field })),
  );
  const [only] = causes;
  const text =
    causes.length === 1
      ? `1 conflict: ${only?.message}: ${only?.field}`
      : `${causes.length} conflicts: ${found.map(({ who, paths }) => [`conflicts with ${who}:`, ...paths.map((path) => `- ${path}`)].join('\n')).join('\n')}`;
  return new StatusError(409, `Apply failed with ${text}`, 'Conflict', { causes });
}
