import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { send, startE2bTests } from '../testing';
import { replay } from './replay';

let tests: Awaited<ReturnType<typeof startE2bTests>>;
beforeAll(async () => {
  tests = await startE2bTests();
});
afterAll(() => tests.stop());

/** A key that sees every pool and no sandbox of the others. */
async function ownKey(name: string): Promise<string> {
  const headers = { 'X-API-Key': tests.key };
  const body = JSON.stringify({ name, teamName: 'admin' });
  const { text } = await send(`${tests.e2b.url}/api-keys`, { method: 'POST', headers, body });
  return z.object({ key: z.string() }).parse(JSON.parse(text)).key;
}

it('api-keys', () => replay(tests, 'api-keys', tests.key));

describe.concurrent('the manager and its gateway answer as recorded', () => {
  it.for([
    'create-cold',
    'create-errors',
    'create-extensions',
    'list',
    'info-timeout',
    'kill',
    'pause-resume',
    'snapshot',
    'dead',
    'gateway',
    'cors',
    'kruise-base',
    'admin-routes',
    'other-routes',
  ])('%s', async (name) => replay(tests, name, await ownKey(name), name === 'list'));
});

it('every sandbox of the recordings is gone at the end, and the pool is full', async () => {
  const free = () =>
    [...tests.cluster.sandboxes.list()].filter(({ metadata }) => metadata.ownerReferences !== undefined).length;
  await expect.poll(free).toBe(3);
});
