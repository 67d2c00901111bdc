import type { PatchFault } from '@/lib/contracts/patch-fault';
import { isObject } from '../json-diff';
import { fieldPath, isDirective, mergeKeyOf, patchDirective } from './merge-keys';
import { faultAt } from './patch-fault';
import { podKinds } from './pod-kinds';

interface Inner {
  kind: string;
  list: boolean;
}
type Fields = ReadonlyMap<string, Inner | undefined>;

const read = new Map<string, Fields>();

function fieldsOf(kind: string): Fields {
  const known = read.get(kind);
  if (known) return known;
  const fields = new Map(
    (podKinds[kind] ?? '').split(' ').map((text): [string, Inner | undefined] => {
      const [name = '', inner] = text.split(':');
      return [name, inner === undefined ? undefined : { kind: inner.replace('[]', ''), list: inner.endsWith('[]') }];
    }),
  );
  read.set(kind, fields);
  return fields;
}

const root = 'PodTemplateSpec';

/** Names of the fields that may stand at a path, in which `[]` after a list is its item; none where the path is not known. */
export function fieldsAt(path: readonly string[]): string[] {
  let at: Inner | undefined = { kind: root, list: false };
  let field = '';
  for (const part of path) {
    if (at === undefined || (part === '[]') !== at.list) return [];
    if (part === '[]') at = { ...at, list: false };
    else {
      field = part;
      at = fieldsOf(at.kind).get(part);
    }
  }
  if (at === undefined || at.list) return [];
  const names = [...fieldsOf(at.kind).keys()];
  return path.at(-1) === '[]' && mergeKeyOf(field) !== undefined ? [...names, patchDirective] : names;
}

/** The first field of a patch that no Pod template has; undefined: none. */
export function unknownField(patch: Readonly<Record<string, unknown>>, kind = root, path = ''): PatchFault | undefined {
  const known = fieldsOf(kind);
  for (const [field, value] of Object.entries(patch)) {
    if (isDirective(field)) continue;
    const at = fieldPath(path, field);
    if (!known.has(field)) return faultAt(at, 'unknownField', { field, nearest: nearest(field, [...known.keys()]) });
    const inner = known.get(field);
    if (inner === undefined) continue;
    const found = Array.isArray(value)
      ? inItems(value, inner.kind, at, mergeKeyOf(field))
      : isObject(value)
        ? unknownField(value, inner.kind, at)
        : undefined;
    if (found) return found;
  }
  return undefined;
}

function inItems(items: unknown[], kind: string, path: string, key: string | undefined): PatchFault | undefined {
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    const name = key === undefined ? undefined : item[key];
    const found = unknownField(item, kind, `${path}[${String(name ?? index)}]`);
    if (found) return found;
  }
  return undefined;
}

/** The name that a slip of one or two letters would have made of it; `none`: it is like none of them. */
function nearest(field: string, names: readonly string[]): string {
  const typed = field.toLowerCase();
  const ranked = names
    .map((name) => ({ name, slips: distance(typed, name.toLowerCase()) }))
    .sort((a, b) => a.slips - b.slips);
  const [best] = ranked;
  return best !== undefined && best.slips <= Math.min(2, Math.floor(field.length / 2)) ? best.name : 'none';
}

/** Letters that have to be put in, taken out or changed to get from one word to the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
