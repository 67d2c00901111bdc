// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newDraft } from './draft';
import { openDraft, readDrafts, writeDrafts } from './draft-store';

const draft = (id: string, over = {}) => newDraft(1_000, { id, edited: true, ...over });
const ids = (cluster = 'c') => readDrafts(cluster).map(({ id }) => id);
const nobody = new Set<string>();

beforeEach(() => localStorage.clear());

describe('drafts in the browser', () => {
  it('are kept by cluster, as they were', () => {
    const whole = draft('a', { patch: 'spec: {}', labels: [{ key: 'app', operator: 'NotIn', values: 'x' }] });
    expect(writeDrafts('c', [whole], nobody)).toBe(true);
    expect(readDrafts('c')).toEqual([whole]);
    expect(readDrafts('other')).toEqual([]);
  });

  it('of another tab stay when this one writes its own, and those that this one dropped go', () => {
    writeDrafts('c', [draft('theirs'), draft('sent')], nobody);
    writeDrafts('c', [draft('mine')], new Set(['sent']));
    expect(ids()).toEqual(['mine', 'theirs']);
    writeDrafts('c', [], new Set(['mine', 'theirs']));
    expect(localStorage).toHaveLength(0);
  });

  it('make room for one that is opened when nothing was typed into them', () => {
    writeDrafts('c', [draft('looked-at', { edited: false }), draft('typed')], nobody);
    openDraft('c', draft('new'));
    expect(ids()).toEqual(['new', 'typed']);
  });

  it('lose only the field that cannot be read, and are left out when they are of another version', () => {
    const stored = [
      { ...draft('a', { pool: 'web' }), labels: 7, strategy: 'Magic' },
      { ...draft('b'), version: 2 },
      null,
    ];
    localStorage.setItem('upgrade-plan:c', JSON.stringify(stored));
    expect(readDrafts('c')).toEqual([
      expect.objectContaining({ id: 'a', pool: 'web', labels: [], strategy: 'Recreate' }),
    ]);
    localStorage.setItem('upgrade-plan:c', '{');
    expect(readDrafts('c')).toEqual([]);
  });

  it('are not kept by a browser that keeps nothing, and it says so', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('full');
    });
    expect(writeDrafts('c', [draft('a')], nobody)).toBe(false);
    vi.restoreAllMocks();
  });
});
