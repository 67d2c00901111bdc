/**
 * A set of fields as the API writes it (FieldsV1): a tree of path elements (`f:name`, `k:{…}`, `v:…`). A node belongs to the
 * set itself when it has no children, or the child `.`. The root never does.
 */
export type FieldSet = { readonly [element: string]: FieldSet };

export const EMPTY: FieldSet = {};
const SELF = '.';

const isMember = (node: FieldSet): boolean => SELF in node || Object.keys(node).length === 0;
const childrenOf = (node: FieldSet) => Object.entries(node).filter(([element]) => element !== SELF);

/** A node of these children, which is a member itself or not; undefined when nothing of it is in the set. */
function nodeOf(member: boolean, children: readonly (readonly [string, FieldSet])[]): FieldSet | undefined {
  if (children.length === 0) return member ? EMPTY : undefined;
  return Object.fromEntries(member ? [[SELF, EMPTY], ...children] : children);
}

/** Builds the node of a value with parts: `itself` where the value belongs to the set besides its parts. */
export function branch(itself: boolean, children: readonly (readonly [string, FieldSet])[]): FieldSet {
  return nodeOf(itself || children.length === 0, children) ?? EMPTY;
}

export const isEmpty = (set: FieldSet | undefined): boolean => set === undefined || Object.keys(set).length === 0;

function combine(
  a: FieldSet | undefined,
  b: FieldSet | undefined,
  keeps: (inA: boolean, inB: boolean) => boolean,
  root: boolean,
): FieldSet | undefined {
  const elements = new Set([...Object.keys(a ?? EMPTY), ...Object.keys(b ?? EMPTY)]);
  elements.delete(SELF);
  const children: [string, FieldSet][] = [];
  for (const element of elements) {
    const child = combine(a?.[element], b?.[element], keeps, false);
    if (child !== undefined) children.push([element, child]);
  }
  const has = (node: FieldSet | undefined) => !root && node !== undefined && isMember(node);
  return nodeOf(keeps(has(a), has(b)), children);
}

export const union = (a: FieldSet, b: FieldSet): FieldSet => combine(a, b, (x, y) => x || y, true) ?? EMPTY;
export const subtract = (a: FieldSet, b: FieldSet): FieldSet => combine(a, b, (x, y) => x && !y, true) ?? EMPTY;
export const intersect = (a: FieldSet, b: FieldSet): FieldSet => combine(a, b, (x, y) => x && y, true) ?? EMPTY;

/** The set without the fields under these paths; a path is a list of elements. */
export function without(set: FieldSet, paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce((rest, path) => withoutPath(rest, path, true) ?? EMPTY, set);
}

function withoutPath(node: FieldSet, [element, ...rest]: readonly string[], root: boolean): FieldSet | undefined {
  if (element === undefined || node[element] === undefined) return node;
  const child = rest.length === 0 ? undefined : withoutPath(node[element], rest, false);
  const children = childrenOf(node).flatMap(([name, each]): [string, FieldSet][] => {
    if (name !== element) return [[name, each]];
    return child === undefined ? [] : [[name, child]];
  });
  return nodeOf(!root && SELF in node, children);
}

/** Every member as people read it: `.spec.ports[name="a"].port`. */
export function pathsOf(set: FieldSet, prefix = ''): string[] {
  return childrenOf(set)
    .map(([element, node]): [string, FieldSet] => [prefix + readable(element), node])
    .flatMap(([path, node]) => [...(isMember(node) ? [path] : []), ...pathsOf(node, path)])
    .sort();
}

function readable(element: string): string {
  const value = element.slice(2);
  if (element.startsWith('f:')) return `.${value}`;
  if (element.startsWith('v:')) return `[=${value}]`;
  const keys = Object.entries(JSON.parse(value) as Record<string, unknown>);
  return `[${keys.map(([key, each]) => `${key}=${JSON.stringify(each)}`).join(',')}]`;
}
