import { describe, expect, it } from 'vitest';
import type { DurationFigures, Stay } from '@/lib/contracts/history';
import { now } from './rows.testing';
import { boxOf, episodeOf, logScale, stageRows } from './stage-durations';

const stay = (gate: string, from: number, to?: number, fields: Partial<Stay> = {}): Stay => ({
  state: 'Resuming',
  gate,
  from: now - from,
  fromSource: 'condition',
  ...(to === undefined ? {} : { to: now - to }),
  ...fields,
});

describe('boxOf', () => {
  it('is of the nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(boxOf(hundred)).toEqual({ count: 100, open: 0, p5: 5, p25: 25, p50: 50, p75: 75, p95: 95, max: 100 });
    expect(boxOf([7], 1)).toEqual({ count: 1, open: 1, p5: 7, p25: 7, p50: 7, p75: 7, p95: 7, max: 7 });
    expect(boxOf([])).toBeUndefined();
  });
});

describe('stageRows', () => {
  const usual: DurationFigures[] = [
    { state: 'Resuming', count: 40, unknown: 0, p50: 3_000, p95: 5_000 },
    { state: 'Resuming', gate: 'InitImages', count: 40, unknown: 0, p50: 90, p95: 160 },
    { state: 'Resuming', gate: 'Written', count: 40, unknown: 0, p50: 10, p95: 20 },
    { state: 'Running', gate: 'PodStays', count: 4, unknown: 0, p50: 10, p95: 20 },
  ];

  it('puts gates in the order in which they were reached, and what nobody reached last', () => {
    const members = [
      [stay('PodRunning', 9_000, 6_000), stay('InitImages', 6_000)],
      [stay('Scheduled', 8_500, 8_000), stay('PodRunning', 8_000, 5_000), stay('InitImages', 5_000)],
    ];
    const rows = stageRows(members, usual, 'Resuming', now);
    expect(rows.map(({ gate }) => gate)).toEqual(['Scheduled', 'PodRunning', 'InitImages', 'Written']);
    expect(rows[2]).toMatchObject({ box: { count: 2, open: 2, p50: 5_000, max: 6_000 }, usual: { p95: 160 } });
    expect(rows[3]?.box).toBeUndefined();
  });

  it('counts the present visit to the state alone, and all of the time at a gate that held twice', () => {
    const earlier = stay('InitImages', 90_000, 80_000);
    const between: Stay = { state: 'Running', from: now - 80_000, fromSource: 'condition', to: now - 9_000 };
    const twice = [
      stay('PodRunning', 9_000, 8_000),
      stay('InitImages', 8_000, 7_000),
      stay('PodRunning', 7_000, 4_000),
    ];
    const [first, second] = stageRows([[earlier, between, ...twice]], [], 'Resuming', now);
    expect(first).toMatchObject({ gate: 'PodRunning', box: { count: 1, open: 0, max: 4_000 } });
    expect(second).toMatchObject({ gate: 'InitImages', box: { max: 1_000 } });
  });

  it('invents nothing for a stay whose start or end nobody saw', () => {
    const unknown: Stay = { state: 'Resuming', gate: 'OldPodGone', fromSource: 'unknown', to: now - 5_000 };
    const torn = stay('PodRunning', 5_000, undefined, { torn: true, seenUntil: now - 4_000 });
    expect(stageRows([[unknown, torn]], [], 'Resuming', now)).toEqual([]);
  });
});

it('finds the visit to the present state', () => {
  const stays = [stay('A', 9), stay('B', 8, 7, { state: 'Running' }), stay('C', 7), stay('D', 6)];
  expect(episodeOf(stays, 'Resuming').map(({ gate }) => gate)).toEqual(['C', 'D']);
  expect(episodeOf(stays, 'Paused')).toEqual([]);
});

it('is a scale on which ten times longer is always as far', () => {
  const { x, ticks } = logScale(600_000);
  expect(x(100)).toBe(0);
  expect(x(10_000) - x(1_000)).toBeCloseTo(x(100_000) - x(10_000));
  expect(x(1e12)).toBe(1);
  expect(ticks).toEqual([100, 1_000, 10_000, 60_000, 600_000]);
  const short = logScale(600_000, 21);
  expect(short.ticks[0]).toBe(10);
  expect([short.x(10), short.x(21) > 0]).toEqual([0, true]);
  expect(logScale(600_000, 0).ticks[0]).toBe(1);
});
