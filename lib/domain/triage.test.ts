import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Mark, MarkScope } from '@/lib/contracts/triage';
import { now, sandbox } from './rows.testing';
import { coverage, markLookup, markOn, spokenFor } from './triage';

const row = sandbox({
  uid: 'u',
  pool: 'tools',
  state: 'Resuming',
  node: 'node-12',
  hash: 'h1',
  cause: { code: 'InitImageMismatch', image: 'reg/x:v1' },
});
let count = 0;
const mark = (scope: MarkScope, fields: Partial<Mark> = {}): Mark => {
  count++;
  return { id: `m${count}`, scope, kind: 'ack', by: 'M. Kaya', at: now - 1_000, version: 1, ...fields };
};

const covers = (scope: MarkScope, one: SandboxRow) => coverage([mark(scope)])(one).length > 0;

describe('coverage', () => {
  it.each<[string, MarkScope, boolean]>([
    ['all of a namespace', { ns: 'agents' }, true],
    ['another namespace', { ns: 'other' }, false],
    ['this sandbox', { ns: 'agents', uid: 'u' }, true],
    ['another one of the name', { ns: 'agents', uid: 'v' }, false],
    [
      'every field',
      {
        ns: 'agents',
        pool: 'tools',
        state: 'Resuming',
        cause: 'InitImageMismatch',
        node: 'node-12',
        revision: 'h1',
        image: 'reg/x:v1',
      },
      true,
    ],
    ['another node', { ns: 'agents', pool: 'tools', node: 'node-7' }, false],
    ['another image', { ns: 'agents', image: 'reg/x:v2' }, false],
    ['those without a cause', { ns: 'agents', cause: '' }, false],
  ])('%s', (_, scope, covered) => {
    expect(covers(scope, row)).toBe(covered);
  });

  it('takes the empty text for "has none"', () => {
    const bare = sandbox({ state: 'Resuming' });
    expect(covers({ ns: 'agents', cause: '', node: '', pool: '' }, bare)).toBe(true);
    expect(covers({ ns: 'agents', node: 'node-12' }, bare)).toBe(false);
  });
});

it('costs a row the same, however many marks there are', () => {
  const costOf = (marks: number) => {
    let reads = 0;
    const watched = new Proxy(row, {
      get(target, name, receiver) {
        reads++;
        return Reflect.get(target, name, receiver);
      },
    });
    const others = Array.from({ length: marks }, (_, i) => mark({ ns: 'agents', pool: `p${i}`, state: 'Resuming' }));
    const mine = mark({ ns: 'agents', pool: 'tools', state: 'Resuming' });
    const wide = mark({ ns: 'agents', node: 'node-12' });
    expect(coverage([...others, mine, wide])(watched)).toEqual([mine, wide]);
    return reads;
  };
  expect(costOf(2_000)).toBe(costOf(1));
});

describe('markLookup', () => {
  it('takes the word on the sandbox before the one on its cohort, and the narrower cohort before the wider', () => {
    const wide = mark({ ns: 'agents', pool: 'tools' }, { at: now });
    const narrow = mark({ ns: 'agents', pool: 'tools', node: 'node-12' });
    const own = mark({ ns: 'agents', uid: 'u' });
    expect(markLookup([wide, narrow, own], now)(row)).toBe(own);
    expect(markLookup([wide, narrow], now)(row)).toBe(narrow);
  });

  it('takes a snooze that is over for nothing said', () => {
    const until = now + 5_000;
    const snooze = mark({ ns: 'agents' }, { kind: 'snooze', until });
    expect(markLookup([snooze], now)(row)).toBe(snooze);
    expect(markLookup([snooze], until)(row)).toBeUndefined();
  });
});

it('finds what was said of exactly a scope, also when it is over', () => {
  const over = mark({ ns: 'agents', pool: 'tools' }, { kind: 'snooze', until: now - 1 });
  expect(markOn([over], { pool: 'tools', ns: 'agents' })).toBe(over);
  expect(markOn([over], { ns: 'agents', pool: 'tools', node: 'a' })).toBeUndefined();
});

it('counts for how many of a cohort somebody has spoken', () => {
  const own = mark({ ns: 'agents', uid: 'u' }, { by: 'Li Wei' });
  const rest = mark({ ns: 'agents', pool: 'tools' });
  const rows = [row, sandbox({ pool: 'tools' }), sandbox({ pool: 'tools' }), sandbox({ pool: 'web' })];
  expect(spokenFor(rows, markLookup([own, rest], now)).map((each) => [each.mark.by, each.count])).toEqual([
    ['M. Kaya', 2],
    ['Li Wei', 1],
  ]);
});
