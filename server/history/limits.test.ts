import { expect, it } from 'vitest';
import { limitsOf } from '@/lib/domain/limits';
import { HistoryUnavailable, makeHistory } from './database';
import { LimitsStore } from './limits';
import { onBothDatabases } from './testing';

const states = { Resuming: { warn: 5_000, breach: 10_000 } };
const pools = { 'lab/web': { Resuming: { warn: 60_000, breach: 90_000 } } };

onBothDatabases((database) => {
  it('are in force at once, in every process on the database, and over a restart', async () => {
    const [one, two] = [new LimitsStore(database.open(), () => 1_000), new LimitsStore(database.open())];
    let told = 0;
    one.onChange(() => told++);
    expect(await one.set({ version: 0, states, pools }, 'mara')).toMatchObject({ done: true });
    expect(told).toBe(1);
    expect(one.settings).toEqual({ version: 1, states, pools, by: 'mara', at: 1_000 });
    await two.recall();
    expect(two.settings).toEqual(one.settings);
    const row = { state: 'Resuming', ns: 'lab' } as const;
    expect(limitsOf(row, two.inForce)).toEqual(states.Resuming);
    expect(limitsOf({ ...row, pool: 'web' }, two.inForce)).toEqual(pools['lab/web'].Resuming);
    await two.recall();
    await one.recall();
    expect(told).toBe(1);
  });

  it('are not taken back by a reading that began before they were set', async () => {
    const history = database.open();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const store = new LimitsStore({
      ...history,
      read: async (work) => {
        const found = await history.read(work);
        await held;
        return found;
      },
    });
    const reading = store.recall();
    // The reading has its answer: another one, after it, has come back.
    await history.read(async () => undefined);
    await store.set({ version: 0, states, pools: {} }, 'mara');
    letGo();
    await reading;
    expect(store.settings).toMatchObject({ version: 1, states });
  });

  it('are not overwritten by one who saw others', async () => {
    const [one, two] = [new LimitsStore(database.open()), new LimitsStore(database.open())];
    await one.recall();
    const both = await Promise.all([
      one.set({ version: 0, states, pools: {} }, 'mara'),
      two.set({ version: 0, states: {}, pools }, 'li'),
    ]);
    expect(both.map(({ done }) => done).sort()).toEqual([false, true]);
    const late = await two.set({ version: 0, states: {}, pools: {} }, 'li');
    expect(late).toMatchObject({ done: false, settings: { version: 1 } });
    expect(await two.set({ version: 1, states: {}, pools: {} }, 'li')).toMatchObject({ done: true });
  });
});

it('stay the defaults without a database, and say so when they are set', async () => {
  const store = new LimitsStore(makeHistory(undefined));
  await expect(store.set({ version: 0, states, pools }, 'mara')).rejects.toThrow(HistoryUnavailable);
  expect(store.settings).toEqual({ version: 0, states: {}, pools: {} });
});
