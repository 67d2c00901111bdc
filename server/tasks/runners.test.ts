import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Runners } from './runners';
import type { TaskStore } from './store';

const other = 'another-machine:7:abcd';

/** The table of runners, in which another process of another machine counts on for as long as it lives. */
function tableOfRunners() {
  const beats = new Map([[other, 0]]);
  const table = {
    isAway: false,
    otherLives: true,
    has: (id: string) => beats.has(id),
    store: {
      async beat(id: string) {
        if (table.isAway) throw new Error('away');
        beats.set(id, (beats.get(id) ?? -1) + 1);
        return [...beats].map(([each, beat]) => ({ id: each, beat }));
      },
      async forgetRunner(id: string) {
        beats.delete(id);
      },
    } as unknown as TaskStore, // Only these two are asked for.
  };
  const timer = setInterval(() => {
    if (!table.isAway && table.otherLives) beats.set(other, (beats.get(other) ?? 0) + 1);
  }, 5_000);
  return { table, stop: () => clearInterval(timer) };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a process of another machine is struck off after a silence, and not before', async () => {
  const { table, stop } = tableOfRunners();
  const runners = new Runners(table.store);
  await runners.join();
  await vi.advanceTimersByTimeAsync(60_000);
  await runners.forgetDead();
  expect(table.has(other)).toBe(true);
  table.otherLives = false;
  await vi.advanceTimersByTimeAsync(10_000);
  await runners.forgetDead();
  expect(table.has(other)).toBe(true);
  await vi.advanceTimersByTimeAsync(15_000);
  await runners.forgetDead();
  expect(table.has(other)).toBe(false);
  runners.stop();
  stop();
});

it('while the database was away, nobody was silent', async () => {
  const { table, stop } = tableOfRunners();
  const runners = new Runners(table.store);
  await runners.join();
  await vi.advanceTimersByTimeAsync(10_000);
  table.isAway = true;
  await vi.advanceTimersByTimeAsync(60_000);
  table.isAway = false;
  // Before the other one has had the time to say anything.
  await runners.forgetDead();
  expect(table.has(other)).toBe(true);
  runners.stop();
  stop();
});

it('joins once, however many ask for it at once', async () => {
  const { table, stop } = tableOfRunners();
  const runners = new Runners(table.store);
  const beat = vi.spyOn(table.store, 'beat');
  await Promise.all([runners.join(), runners.join()]);
  expect(beat).toHaveBeenCalledTimes(1);
  runners.stop();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(beat).toHaveBeenCalledTimes(1);
  stop();
});
