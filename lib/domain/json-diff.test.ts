import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffToPatch, MaskedValueError, pointer, sameJson } from './json-diff';
import { applyPatch } from './json-patch.testing';

const key = fc.constantFrom('a', 'b/c', 'd~e', 'image', 'env', '');
const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string({ maxLength: 3 }));
const named = fc.uniqueArray(
  fc
    .record({
      name: fc.constantFrom('one', 'two', 'three', 'four'),
      value: leaf,
      extra: fc.option(leaf, { nil: undefined }),
    })
    .map(clean),
  { selector: ({ name }) => name },
);
const tree = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    leaf,
    named,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(key, tie('node'), { maxKeys: 4 }),
  ),
})).node;

function clean<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

describe('diffToPatch', () => {
  it('brings any document to any other, and its tests hold on what was seen', () => {
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        const patch = diffToPatch({ root: before }, { root: after }, []);
        expect(applyPatch({ root: before }, patch)).toEqual({ root: after });
        expect(patch.length === 0).toBe(sameJson(before, after));
      }),
      { numRuns: 500 },
    );
  });

  it('refuses when what it changes has changed since', () => {
    fc.assert(
      fc.property(named, named, (before, after) => {
        fc.pre(!sameJson(before, after) && before.length > 0);
        const patch = diffToPatch(before, after, []);
        const [first] = patch;
        expect(first?.op).toBe('test');
        const moved = before.map((entry) => ({ ...entry, name: `${entry.name}-moved` }));
        expect(() => applyPatch(moved, patch)).toThrow(/failed/);
      }),
    );
  });

  it('leaves the siblings of a list entry alone', () => {
    const before = [
      { name: 'x', value: 1 },
      { name: 'y', value: 2 },
      { name: 'z', value: 3 },
    ];
    const after = [
      { name: 'y', value: 9 },
      { name: 'z', value: 3 },
    ];
    expect(diffToPatch(before, after, ['env'])).toEqual([
      { op: 'test', path: '/env', value: before },
      { op: 'test', path: '/env/1/name', value: 'y' },
      { op: 'test', path: '/env/1/value', value: 2 },
      { op: 'test', path: '/env/0/name', value: 'x' },
      { op: 'test', path: '/env/0', value: before[0] },
      { op: 'replace', path: '/env/1/value', value: 9 },
      { op: 'remove', path: '/env/0' },
    ]);
  });

  it('neither tests nor writes a masked secret', () => {
    const before = {
      env: [
        { name: 'TOKEN', value: '•••' },
        { name: 'LANG', value: 'C' },
      ],
      image: 'a',
    };
    const after = {
      env: [
        { name: 'TOKEN', value: '•••' },
        { name: 'LANG', value: 'C.UTF-8' },
      ],
      image: 'b',
    };
    const patch = diffToPatch(before, after, []);
    expect(JSON.stringify(patch)).not.toContain('•••');
    expect(patch.filter(({ op }) => op !== 'test')).toHaveLength(2);
    expect(() => diffToPatch(before, { ...before, env: [...before.env, { name: 'COPY', value: '•••' }] }, [])).toThrow(
      MaskedValueError,
    );
  });
});

it('pointer escapes as RFC 6901 says', () => {
  expect(pointer(['metadata', 'annotations', 'a.io/b~c', 0])).toBe('/metadata/annotations/a.io~1b~0c/0');
});
