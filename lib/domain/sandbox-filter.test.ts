import { describe, expect, it } from 'vitest';
import { displayStates, type SandboxRow } from '@/lib/contracts/rows';
import { standardLimits } from '@/lib/domain/limits';
import { ago, member, now, sandbox } from './rows.testing';
import { filterSandboxes, type SandboxFilter } from './sandbox-filter';

const context = { pools: new Map([['agents/web', { revision: 'new' }]]), now, limits: standardLimits };
const names = (rows: SandboxRow[]) => rows.map(({ name }) => name);

const rows = [
  sandbox({ name: 'run-1', pool: 'web', claimed: true, hash: 'new', node: 'a', owner: 'Key-7F', ip: '10.42.3.19' }),
  sandbox({ name: 'run-2', pool: 'web', claimed: true, hash: 'older', node: 'b', id: 'kp3x9d2m7q1w9' }),
  member({ name: 'idle', node: 'a' }),
  sandbox({
    name: 'stuck',
    ns: 'batch',
    state: 'Resuming',
    since: ago(300),
    node: 'a',
    cause: { code: 'InitImageMismatch', never: true },
  }),
  sandbox({ name: 'kept', state: 'Failed', claimed: true, reserved: true }),
];

describe('filterSandboxes', () => {
  it.each<[SandboxFilter, string[]]>([
    [{}, ['run-1', 'run-2', 'idle', 'stuck', 'kept']],
    [{ state: ['Running'] }, ['run-1', 'run-2']],
    [{ state: ['Running', 'Available'], node: ['a'] }, ['run-1', 'idle']],
    [{ revision: ['old'] }, ['run-2']],
    [{ revision: ['none'] }, ['stuck', 'kept']],
    [{ claimed: ['claimed'] }, ['run-1', 'run-2']],
    [{ claimed: ['kept'] }, ['kept']],
    [{ namespace: ['batch'] }, ['stuck']],
    [{ cause: ['InitImageMismatch'] }, ['stuck']],
    [{ overdue: ['breach'] }, ['stuck']],
    [{ overdue: ['warn'] }, []],
    [{ pool: [] }, ['run-1', 'run-2', 'idle', 'stuck', 'kept']],
    [{ pool: ['nobody'] }, []],
    [{ text: 'key-7f' }, ['run-1']],
    [{ text: '10.42.3' }, ['run-1']],
    [{ text: 'batch/stuck' }, ['stuck']],
    [{ text: '  RUN agents ' }, ['run-1', 'run-2']],
    [{ text: 'KP3X9D2M7Q1W9' }, ['run-2']],
    [{ text: 'agents--run-2' }, ['run-2']],
    [{ text: 'retired-id' }, []],
    [{ text: 'run', node: ['b'] }, ['run-2']],
  ])('%j', (filter, expected) => {
    expect(names(filterSandboxes(rows, filter, context).rows)).toEqual(expected);
  });

  it('finds a name that holds the separator of the older form of an id', () => {
    const odd = [sandbox({ name: 'a--b' }), sandbox({ name: 'b' })];
    expect(names(filterSandboxes(odd, { text: 'agents--a--b' }, context).rows)).toEqual(['a--b']);
  });

  it('counts each facet with the filters of the others', () => {
    const { counts } = filterSandboxes(rows, { state: ['Running'], node: ['a'] }, context);
    expect(counts.state).toEqual(
      new Map([
        ['Running', 1],
        ['Available', 1],
        ['Resuming', 1],
      ]),
    );
    expect(counts.node).toEqual(
      new Map([
        ['a', 1],
        ['b', 1],
      ]),
    );
    expect(counts.revision).toEqual(new Map([['current', 1]]));
    expect(counts.overdue).toEqual(new Map());
  });

  it('counts every row once in a facet that all rows have', () => {
    const { counts } = filterSandboxes(rows, {}, context);
    for (const facet of ['state', 'namespace', 'revision', 'claimed'] as const) {
      expect([...counts[facet].values()].reduce((sum, count) => sum + count, 0)).toBe(rows.length);
    }
  });

  it('agrees with a filter made the slow way', () => {
    const many = Array.from({ length: 500 }, (_, i) =>
      sandbox({
        name: `n-${i}`,
        state: displayStates[i % displayStates.length] ?? 'Other',
        node: `node-${i % 5}`,
        pool: `p-${i % 3}`,
        since: ago(i),
      }),
    );
    const filter = { state: ['Resuming', 'Creating'], node: ['node-1', 'node-2'] };
    const { rows: found, counts } = filterSandboxes(many, filter, context);
    expect(found).toEqual(
      many.filter((row) => filter.state.includes(row.state) && filter.node.includes(row.node ?? '')),
    );
    expect(counts.pool.get('p-1') ?? 0).toBe(found.filter((row) => row.pool === 'p-1').length);
    const withoutNode = many.filter((row) => filter.state.includes(row.state));
    expect(counts.node.get('node-3')).toBe(withoutNode.filter((row) => row.node === 'node-3').length);
  });
});
