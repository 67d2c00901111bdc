import { describe, expect, it } from 'vitest';
import { findRows, sandboxTexts } from './palette-search';

const row = (name: string, more: object = {}) => ({
  uid: name,
  ns: 'prod',
  name,
  phase: 'Running',
  state: 'Running' as const,
  sinceFrom: 'unknown' as const,
  ...more,
});
const rows = [
  row('web-tools-1', { owner: 'team-atlas/run-1' }),
  row('tools-9', { id: 'sbx-42' }),
  row('tools', { claimName: 'nightly' }),
  row('a--b'),
  row('other', { owner: 'team-atlas/run-2' }),
];
const find = (query: string, limit = 8) => {
  const hits = findRows(rows, query, sandboxTexts, limit);
  return [...hits.rows.map(({ name }) => name), ...(hits.more ? [`+${hits.more}`] : [])];
};

describe('findRows', () => {
  it('puts the whole name first, then beginnings, then the rest', () => {
    expect(find('tools')).toEqual(['tools', 'tools-9', 'web-tools-1']);
  });

  it('finds by id, owner and claim, and wants every word', () => {
    expect(find('SBX-42')).toEqual(['tools-9']);
    expect(find('nightly')).toEqual(['tools']);
    expect(find('atlas web')).toEqual(['web-tools-1']);
    expect(find('atlas nightly')).toEqual([]);
  });

  it('finds by the older form of an id, also of a name with its separator, and takes none apart', () => {
    expect(find('prod--tools-9')).toEqual(['tools-9']);
    expect(find('prod--a--b')).toEqual(['a--b']);
    expect(find('other--a')).toEqual([]);
    expect(find('sbx-41')).toEqual([]);
  });

  it('says how many it left out, and finds nothing for nothing', () => {
    expect(find('tools', 2)).toEqual(['tools', 'tools-9', '+1']);
    expect(find('  ')).toEqual([]);
  });
});
