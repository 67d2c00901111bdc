import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { livingWorld } from '../services/testing/living-world';
import { makeHistory } from './database';
import { Recorder } from './stays/recorder';
import { stayOf, staysOfSandbox } from './stays/store';

let dir: string;
let world: Awaited<ReturnType<typeof livingWorld>>;
beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'living-history-'));
  world = await livingWorld();
});
afterEach(async () => {
  await world.close();
  rmSync(dir, { recursive: true });
});

it('the life of a sandbox is there, gate after gate, when controllers, watch and database work together', async () => {
  const limits = { keepDays: 1, keepRows: 10_000, mostWaiting: 1_000 };
  const history = makeHistory(dir);
  let recorder: Recorder | undefined;
  const { cluster, ctx, stop } = await world.start((watched) => {
    recorder = new Recorder(watched, history, limits);
  });
  const sandboxes = '/apis/agents.kruise.io/v1alpha1/namespaces/default/sandboxes';
  const send = (method: 'POST' | 'DELETE', path: string, body?: unknown) =>
    cluster.client.request({ method, path, body, as: ctx.principal });
  await send('POST', sandboxes, {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: { name: 'solo' },
    spec: { template: { spec: { containers: [{ name: 'main', image: 'registry.local/code:v1' }] } } },
  });
  const row = () => cluster.byName('sandboxes', 'default', 'solo');
  await vi.waitFor(() => expect(row()?.state).toBe('Running'), 10_000);
  const uid = row()?.uid ?? '';
  await send('DELETE', `${sandboxes}/solo`);
  await vi.waitFor(() => expect(row()).toBeUndefined(), 10_000);
  await recorder?.stop();

  const stays = (await history.read((db) => staysOfSandbox(db, 'default', uid, 100))).map(stayOf);
  const states = stays.map(({ state }) => state).filter((state, i, all) => state !== all[i - 1]);
  // Whether its end takes long enough to be seen is up to the machine.
  expect(states.slice(0, 2)).toEqual(['Creating', 'Running']);
  expect(stays.filter(({ state }) => state === 'Creating').every(({ gate }) => gate !== undefined)).toBe(true);
  expect(stays[0]?.fromSource).toBe('created');
  expect(stays.every(({ end }) => end && !end.torn)).toBe(true);
  for (const [i, { end }] of stays.entries()) if (stays[i + 1]) expect(stays[i + 1]?.from).toBe(end?.at);
  const running = stays.find(({ state }) => state === 'Running');
  expect(running).toMatchObject({ node: expect.any(String), podUid: expect.any(String) });
  stop();
  await history.close();
});
