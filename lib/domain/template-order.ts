import { isObject } from './json-diff';
import { parseQuantity } from './quantities';

/**
 * `after`, written the way `before` was: its order of keys, with new ones where they were put, and its spelling of
 * quantities that are equal ("0.5" for "500m"). So that a difference in the text is one in what it means.
 */
export function inTermsOf(before: unknown, after: unknown): unknown {
  return written(before, after, []);
}

function written(before: unknown, after: unknown, path: readonly string[]): unknown {
  if (isObject(before) && isObject(after)) {
    return Object.fromEntries(
      orderedKeys(before, after).map((key) => [
        key,
        Object.hasOwn(before, key) ? written(before[key], after[key], [...path, key]) : after[key],
      ]),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return after.map((entry, i) => written(counterpart(before, entry, i), entry, path));
  }
  return isQuantity(path) && sameQuantity(before, after) ? before : after;
}

/** Keys of `before` first, in its order; a new one goes behind the key it was written behind. */
function orderedKeys(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const keys = Object.keys(before).filter((key) => Object.hasOwn(after, key));
  let previous: string | undefined;
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) keys.splice(previous === undefined ? 0 : keys.indexOf(previous) + 1, 0, key);
    previous = key;
  }
  return keys;
}

function counterpart(before: unknown[], entry: unknown, index: number): unknown {
  if (!isObject(entry) || typeof entry.name !== 'string') return before[index];
  return before.find((other) => isObject(other) && other.name === entry.name);
}

function isQuantity(path: readonly string[]): boolean {
  const side = path.at(-2);
  return (path.at(-3) === 'resources' && (side === 'requests' || side === 'limits')) || path.at(-1) === 'sizeLimit';
}

function sameQuantity(a: unknown, b: unknown): boolean {
  const [x, y] = [parseQuantity(a), parseQuantity(b)];
  // Factors such as 0.001 are not exact.
  return x !== undefined && y !== undefined && Math.abs(x - y) <= Math.abs(x) * 1e-12;
}
