import { spawnSync } from 'node:child_process';
import os from 'node:os';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunnerStore } from './runner-store';
import { Runners } from './runners';

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
      async forget(id: string) {
        beats.delete(id);
      },
    } as unknown as RunnerStore, // Only these two are asked for.
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

it('a process is not taken for dead by its number alone: another container may have the same name', async () => {
  const { table, stop } = tableOfRunners();
  const runners = new Runners(table.store);
  const ended = spawnSync(process.execPath, ['--version']).pid;
  const others = [process.pid, ended].map((pid) => `${os.hostname()}:${pid}:abcd`);
  for (const id of others) await table.store.beat(id);
  await runners.forgetDead();
  for (const id of others) expect(table.has(id)).toBe(true);
  stop();
});

it.runIf(process.platform === 'linux')('one that has ended in this very place is struck off at once', async () => {
  const { table, stop } = tableOfRunners();
  const runners = new Runners(table.store);
  const ended = runners.me.replace(`:${process.pid}:`, `:${spawnSync(process.execPath, ['--version']).pid}:`);
  // The first process of a container has the same number again.
  const before = runners.me.replace(/[^:]*$/, 'abcd');
  const alive = runners.me.replace(`:${process.pid}:`, `:${process.ppid}:`);
  for (const id of [ended, before, alive]) await table.store.beat(id);
  await runners.forgetDead();
  expect([ended, before, alive].map((id) => table.has(id))).toEqual([false, false, true]);
  stop();
});
