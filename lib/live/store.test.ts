import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowStore } from './store';
import { delta, pool, reply, sandbox } from './testing';

const loaded = (...uids: string[]) => {
  const store = new RowStore();
  store.applyReply(reply(10, { sandboxes: uids.map((uid) => sandbox(uid)) }));
  return store;
};
const available = (store: RowStore) => store.list('sandboxsets')[0]?.available;

describe('order', () => {
  it('keeps a newer push when an older answer arrives last', () => {
    const store = new RowStore();
    store.applyReply(reply(9, { sandboxsets: [pool('p', 4)] }));
    store.applyDelta(delta(12, { sandboxsets: [pool('p', 1)] }));
    expect(store.applyReply(reply(10, { sandboxsets: [pool('p', 4)] }))).toEqual([]);
    expect(available(store)).toBe(1);
    expect(store.cursor).toBe('epoch-12');
  });

  it('ignores duplicates and what comes out of order', () => {
    const store = new RowStore();
    store.applyReply(reply(40, { sandboxsets: [pool('p', 1)] }));
    store.applyDelta(delta(41, { sandboxsets: [pool('p', 5)] }));
    expect(store.applyDelta(delta(40, { sandboxsets: [pool('p', 9)] }))).toEqual([]);
    expect(store.applyDelta(delta(41, { sandboxsets: [pool('p', 5)] }))).toEqual([]);
    expect(available(store)).toBe(5);
  });

  it('ends at the last state whatever is repeated or delayed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 11, max: 40 }), { maxLength: 60 }), (seqs) => {
        const store = new RowStore();
        store.applyReply(reply(10, { sandboxsets: [pool('p', 10)] }));
        for (const seq of seqs) store.applyDelta(delta(seq, { sandboxsets: [pool('p', seq)] }));
        expect(available(store)).toBe(Math.max(10, ...seqs));
      }),
    );
  });

  it('does not take deltas of another server process', () => {
    const store = loaded('a');
    expect(store.applyDelta({ ...delta(99, { sandboxes: [sandbox('b')] }), cursor: 'other-99' })).toBe('foreign');
    expect(store.advance('other-99')).toBe('foreign');
    expect(store.list('sandboxes')).toHaveLength(1);
  });

  it('starts again with the list of another server process, whatever its number', () => {
    const store = loaded('a', 'b');
    store.applyReply({ ...reply(1, { sandboxes: [sandbox('c')] }), cursor: 'other-1' });
    expect(store.list('sandboxes').map(({ uid }) => uid)).toEqual(['c']);
    expect(store.cursor).toBe('other-1');
  });
});

describe('identity', () => {
  it('keeps arrays of kinds and rows that did not change', () => {
    const store = loaded('a', 'b');
    const before = store.list('sandboxes');
    const pools = store.list('sandboxsets');
    expect(store.list('sandboxes')).toBe(before);
    expect(store.applyDelta(delta(11, { sandboxes: [sandbox('b', { phase: 'Paused' })] }))).toEqual(['sandboxes']);
    expect(store.list('sandboxes')).not.toBe(before);
    expect(store.list('sandboxes')[0]).toBe(before[0]);
    expect(store.list('sandboxsets')).toBe(pools);
  });

  it('sees no change in a new list, or a delta, of the same rows', () => {
    const store = new RowStore();
    const cause = { code: 'ImagePull' as const, detail: 'no such image' };
    store.applyReply(reply(10, { sandboxes: [sandbox('a', { cause: { ...cause } })] }));
    const before = store.list('sandboxes');
    expect(store.applyReply(reply(20, { sandboxes: [sandbox('a', { cause: { ...cause } })] }))).toEqual([]);
    expect(store.applyDelta(delta(21, { sandboxes: [sandbox('a', { cause: { ...cause } })] }))).toEqual([]);
    expect(store.list('sandboxes')).toBe(before);
    expect(
      store.applyReply(reply(22, { sandboxes: [sandbox('a', { cause: { ...cause, detail: 'other' } })] })),
    ).toEqual(['sandboxes']);
  });
});

describe('names', () => {
  it('finds rows by name, also when another object has taken the name in one batch', () => {
    const store = loaded('a');
    expect(store.getByName('sandboxes', 'demo', 'name-a')?.uid).toBe('a');
    store.applyDelta(delta(11, { sandboxes: [sandbox('z', { name: 'name-a' })] }, { sandboxes: ['a'] }));
    expect(store.getByName('sandboxes', 'demo', 'name-a')?.uid).toBe('z');
    store.applyDelta(delta(12, {}, { sandboxes: ['a'] }));
    expect(store.getByName('sandboxes', 'demo', 'name-a')?.uid).toBe('z');
    store.applyDelta(delta(13, {}, { sandboxes: ['z'] }));
    expect(store.getByName('sandboxes', 'demo', 'name-a')).toBeUndefined();
    expect(store.get('sandboxes', 'z')).toBeUndefined();
  });

  it('keeps namespaces apart, and has none for nodes', () => {
    const store = new RowStore();
    store.applyReply(
      reply(1, {
        sandboxes: [sandbox('a'), sandbox('b', { ns: 'other', name: 'name-a' })],
        nodes: [{ uid: 'n', name: 'node' }],
      }),
    );
    expect(store.getByName('sandboxes', 'other', 'name-a')?.uid).toBe('b');
    expect(store.getByName('nodes', 'whatever', 'node')?.uid).toBe('n');
  });
});
