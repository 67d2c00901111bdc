import path from 'node:path';
import { expect, it } from 'vitest';
import { startApiServer } from '../../apiserver/server';
import { connectUrl } from '../../controllers/connect';
import { compareRecordings, startRecordingCluster } from './index';

// Those that take half a minute at most; `npm run conformance` has all.
const quick = [
  'claim-and-refill',
  'hook-success',
  'leftover-upgrade-policy',
  'pause-resume-hibernate',
  'pool-crashing',
  'pool-create-18',
  'pool-without-template',
  'rollout-default-20-percent',
  'sandbox-start-failures',
  'second-update-refused',
  'unpause-during-paused-update',
  'update-deleted-midway',
  'update-ignores-pool-members',
  'upgrade-selector-matching-nothing',
];

it('the controllers do what the real ones were recorded doing', { timeout: 90_000 }, async () => {
  const server = await startApiServer({ port: 0 });
  const connection = connectUrl(server.url);
  const cluster = await startRecordingCluster(connection);
  const files = quick.map((name) => path.join(import.meta.dirname, '../../../testing/recordings', `${name}.jsonl`));
  const results = await compareRecordings(connection, files, { controllers: cluster });
  await cluster.close();
  await server.close();
  expect(results.flatMap(({ differences }) => differences.filter(({ reason }) => reason === undefined))).toEqual([]);
  expect(results.flatMap(({ unused }) => unused)).toEqual([]);
  expect(results).toHaveLength(quick.length);
});
