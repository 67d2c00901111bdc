import { describe, expect, it } from 'vitest';
import { ClusterClock } from './cluster-clock';

const start = Date.parse('2026-11-29T10:00:00Z');

/** A cluster whose clock is `ahead` ms, asked every 700 ms; each answer takes `roundTrip` ms. */
function ask(ahead: () => number, { times = 20, roundTrip = 20 } = {}) {
  let local = start;
  const clock = new ClusterClock(() => local);
  const once = () => {
    const sent = local;
    const told = new Date(Math.floor((local + roundTrip / 2 + ahead()) / 1_000) * 1_000).toUTCString();
    local += roundTrip;
    clock.heard(told, sent);
    local += 700 - roundTrip;
  };
  for (let n = 0; n < times; n++) once();
  return { clock, once, local: () => local };
}

describe('ClusterClock', () => {
  it('is this machine’s clock until the cluster was heard, and while both agree', () => {
    expect(new ClusterClock(() => start).now()).toBe(start);
    const { clock, local } = ask(() => 600);
    expect(clock.now()).toBe(local());
    expect(clock.skew()?.ms).toBeGreaterThan(400);
  });

  it.each([9_000, -9_000, 90_000, 3_600_000])('takes over a cluster that is %i ms ahead', (ahead) => {
    const { clock, local } = ask(() => ahead);
    const off = clock.now() - (local() + ahead);
    expect(Math.abs(off)).toBeLessThan(1_100);
    const { ms, doubtMs } = clock.skew() ?? { ms: 0, doubtMs: 0 };
    expect(Math.abs(ms - ahead)).toBeLessThanOrEqual(doubtMs);
    expect(doubtMs).toBeLessThan(400);
    expect(clock.corrected).toBe(clock.now() - local());
  });

  it('says how much is in doubt after a slow answer', () => {
    const { clock } = ask(() => 60_000, { times: 1, roundTrip: 4_000 });
    expect(clock.skew()?.doubtMs).toBe(2_500);
  });

  it('follows a clock that is set, and does not tremble otherwise', () => {
    let ahead = 30_000;
    const { clock, once, local } = ask(() => ahead);
    const before = clock.corrected;
    for (let n = 0; n < 100; n++) once();
    expect(clock.corrected).toBe(before);
    ahead = 0;
    for (let n = 0; n < 5; n++) once();
    expect(clock.now()).toBe(local());
  });

  it('hears nothing in an answer without a date', () => {
    const clock = new ClusterClock(() => start);
    clock.heard(undefined, start);
    clock.heard('soon', start);
    expect(clock.skew()).toBeUndefined();
  });
});
