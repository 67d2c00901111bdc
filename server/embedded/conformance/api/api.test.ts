import { expect, it } from 'vitest';
import { startApiServer } from '../../apiserver/server';
import { connectUrl } from '../../controllers/connect';
import { runControllers } from '../../controllers/run';
import { Client } from '../client';
import type { Result } from '../result';
import { runApiScripts } from './run';

it('answers every request as kube-apiserver does', { timeout: 120_000 }, async () => {
  const server = await startApiServer({ anonymous: 'refused' });
  const connection = connectUrl(server.url, { Authorization: 'Bearer practice-admin' });
  const stopping = new AbortController();
  const run = { api: connection, signal: stopping.signal, controllers: false, kubelet: false };
  const controlPlane = await runControllers(run);
  const client = new Client(connection);
  const failed: Result[] = [];
  try {
    await runApiScripts(client, (result) => result.outcome === 'failed' && failed.push(result), false);
  } finally {
    client.close();
    await controlPlane.stop();
    await server.close();
  }
  expect(failed).toEqual([]);
});
