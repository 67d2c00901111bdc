import fc from 'fast-check';
import { SENSIBLE } from './sensible';
import { anyText, anyValue } from './values';

type Fields = Record<string, unknown>;

interface Edit {
  place: number;
  how: 'set' | 'delete' | 'add' | 'repeat';
  key: string;
  value: unknown;
}

const anyEdit: fc.Arbitrary<Edit> = fc.record({
  place: fc.nat(),
  how: fc.constantFrom('set', 'delete', 'add', 'repeat'),
  key: anyText,
  value: anyValue,
});

/** Every container below a value, in order. */
function containers(value: unknown): Fields[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Fields, ...Object.values(value).flatMap(containers)];
}

function edited(value: Fields, edits: readonly Edit[]): Fields {
  const result = structuredClone(value);
  for (const { place, how, key, value: given } of edits) {
    const all = containers(result);
    const target = all[place % all.length] ?? result;
    const keys = Object.keys(target);
    const chosen = keys[place % Math.max(1, keys.length)] ?? key;
    const there = Object.hasOwn(target, chosen) ? target[chosen] : null;
    const put = (at: string, what: unknown) =>
      Object.defineProperty(target, at, { value: what, enumerable: true, configurable: true, writable: true });
    if (how === 'delete') {
      if (keys.length > 0) delete target[chosen];
    } else if (Array.isArray(target))
      target.push(how === 'repeat' ? structuredClone(target[0]) : structuredClone(given));
    else put(how === 'add' ? key : chosen, how === 'repeat' ? [there, structuredClone(there)] : structuredClone(given));
  }
  return result;
}

/** What is sensible for a path: a body of its kind, or one for its subresource. */
function sensibleFor(path: string): readonly Fields[] {
  const [, plural = '', subresource = ''] =
    /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/([^/?]+)(?:\/[^/?]+\/([^/?]+))?/.exec(path) ?? [];
  const singular = plural.replace(/e?s$/, '').toLowerCase();
  const fitting = SENSIBLE.filter(({ kind }) => {
    const name = String(kind).toLowerCase();
    return name === subresource || name.replace(/e?s$/, '') === singular;
  });
  return fitting.length === 0 ? SENSIBLE : fitting;
}

/** A sensible object for a path, spoiled in up to three places. */
export const spoiledFor = (path: string) =>
  fc
    .tuple(
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...sensibleFor(path)) }, fc.constantFrom(...SENSIBLE)),
      fc.oneof(fc.constant([]), fc.array(anyEdit, { maxLength: 3 })),
    )
    .map(([value, edits]) => edited(value, edits));
