import { type Kysely, sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { HistoryUnavailable, Lane } from './lane';
import type { Tables } from './tables';
import { onBothDatabases } from './testing';

it('closes what opens when it was given up, does nothing with it, and opens anew', async () => {
  let clock = 0;
  const database = () => ({ destroy: vi.fn(async () => undefined) }) as unknown as Kysely<Tables>;
  const [late, next] = [database(), database()];
  let open = () => {};
  const openings = [
    new Promise<typeof late>((resolve) => {
      open = () => resolve(late);
    }),
    Promise.resolve(next),
  ];
  const lane = new Lane({
    ready: async () => undefined,
    open: async () => openings.shift() ?? next,
    shown: 'test',
    patienceMs: 50,
    now: () => clock,
  });
  const work = vi.fn(async () => undefined);
  await expect(lane.use(work)).rejects.toThrow('has not answered for 50 ms');
  open();
  await vi.waitFor(() => expect(late.destroy).toHaveBeenCalled());
  clock += 10_000;
  await lane.use(work);
  expect(work.mock.calls).toEqual([[next]]);
  expect(next.destroy).not.toHaveBeenCalled();
});

it('takes for away what may pass, and a fault of the work for what it is', async () => {
  const lane = new Lane({
    ready: async () => undefined,
    open: async () => ({ destroy: async () => undefined }) as unknown as Kysely<Tables>,
    shown: 'test',
    patienceMs: 1_000,
    now: () => 0,
  });
  const failing = (error: Error, code?: string) =>
    lane
      .use(() => Promise.reject(code === undefined ? error : Object.assign(error, { code })))
      .catch((thrown: unknown) => thrown);
  for (const fault of [
    new TypeError('x of undefined'),
    Object.assign(new Error('no such column'), { code: '42703' }),
  ]) {
    expect(await failing(fault)).toBe(fault);
    expect(lane.failure).toBeUndefined();
  }
  expect(await failing(new Error('connect ECONNREFUSED'), 'ECONNREFUSED')).toBeInstanceOf(HistoryUnavailable);
  expect(lane.failure).toBe('connect ECONNREFUSED');
});

onBothDatabases((database) => {
  it('goes on after a wrong statement as if nothing had been', async () => {
    const history = database.open();
    await expect(history.use((db) => sql`select nothing from mark`.execute(db))).rejects.not.toBeInstanceOf(
      HistoryUnavailable,
    );
    expect(history.state()).toEqual({ state: 'ok' });
    expect(await history.use((db) => db.selectFrom('mark').selectAll().execute())).toEqual([]);
  });
});
