import { createLoader, createSerializer } from 'nuqs';
import { describe, expect, it } from 'vitest';
import { activeFilters, filterOf, noFilters, parsePeek, sandboxParams, toggled } from './search-params';

const write = createSerializer(sandboxParams);
const load = createLoader(sandboxParams);
const read = (url: string) => load(new URLSearchParams(url.split('?')[1] ?? ''));

describe('sandboxes in the URL', () => {
  it('come back as they went', () => {
    const search = {
      q: 'team atlas',
      overdue: ['breach' as const],
      state: ['Resuming' as const, 'NotReady' as const],
      cause: ['InitImageMismatch' as const],
      pool: ['python-tools', 'odd,name'],
      node: ['worker-12'],
      revision: ['old' as const],
      namespace: ['agents-prod'],
      claimed: ['kept' as const],
      peek: 'agents-prod/python-tools-k7m2x',
    };
    expect(read(write(search))).toEqual(search);
  });

  it('leave nothing behind when nothing is filtered', () => {
    expect(write('?state=Resuming&q=a&sort=name', noFilters)).toBe('?sort=name');
    expect(activeFilters(read('?'))).toBe(0);
  });

  it('drop values that no facet has', () => {
    expect(read('?state=Bogus&overdue=maybe').overdue).toEqual([]);
    expect(read('?state=Bogus').state).toEqual([]);
  });

  it('count and apply what is on', () => {
    const search = read('?state=Resuming,Failed&q=atlas');
    expect(activeFilters(search)).toBe(3);
    expect(filterOf(search)).toMatchObject({ text: 'atlas', state: ['Resuming', 'Failed'], pool: [] });
  });
});

describe('toggled', () => {
  it('adds and takes away one value', () => {
    expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
    expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
  });
});

describe('parsePeek', () => {
  it('takes a name with its namespace, and nothing else', () => {
    expect(parsePeek('prod/a')).toEqual({ ns: 'prod', name: 'a' });
    expect([parsePeek(''), parsePeek('a'), parsePeek('/a'), parsePeek('a/')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
