import type { Kysely } from 'kysely';
import { expect, it, vi } from 'vitest';
import { Lane } from './lane';
import type { Tables } from './tables';

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
