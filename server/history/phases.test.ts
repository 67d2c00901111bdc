import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { makePhaseHistory } from './phases';

const row = (over: Partial<SandboxRow>): SandboxRow => ({
  uid: 'u',
  ns: 'a',
  name: 'x',
  phase: 'Running',
  state: 'Running',
  sinceFrom: 'condition',
  since: 0,
  ...over,
});

function recorder(rows: SandboxRow[]) {
  const world = { now: 1_000_000, state: 'live' as 'live' | 'degraded', rows };
  const cluster = { name: 'c', server: 's', embedded: true, missing: [] };
  const history = makePhaseHistory(
    { rows: () => world.rows, freshness: () => ({ cluster, kinds: [{ kind: 'sandboxes', state: world.state }] }) },
    () => world.now,
  );
  return { world, history };
}

describe('phase history', () => {
  it('counts per state and overdue, of the namespaces that may be seen, without reserved sandboxes', () => {
    const now = 1_000_000;
    const { history } = recorder([
      row({}),
      row({ state: 'Resuming', since: now - 10_000 }),
      row({ state: 'Resuming', since: now - 45_000 }),
      row({ ns: 'b' }),
      row({ reserved: true, state: 'Failed' }),
    ]);
    history.sample();
    expect(history.read(60, () => true)).toEqual({
      time: now,
      since: now,
      stepSeconds: 15,
      samples: [{ at: now, counts: { Running: 2, Resuming: 2 }, overdue: { Resuming: 1 } }],
    });
    expect(history.read(60, (ns) => ns === 'b').samples[0]?.counts).toEqual({ Running: 1 });
  });

  it('keeps an hour, answers fewer minutes, and records nothing while the watch is down', () => {
    const { history, world } = recorder([row({})]);
    for (let i = 0; i < 300; i++) {
      history.sample();
      world.now += 15_000;
    }
    expect(history.read(60, () => true).samples).toHaveLength(240);
    expect(history.read(5, () => true).samples).toHaveLength(20);
    world.state = 'degraded';
    world.now += 10 * 60_000;
    history.sample();
    expect(history.read(5, () => true).samples).toHaveLength(0);
  });
});
