import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApiServer } from '../../apiserver/server';
import { connectUrl } from '../../controllers/connect';
import { fileOf } from './edited';
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
  'update-pre-upgrade-hook-fails',
  'upgrade-selector-matching-nothing',
];

/**
 * A run ends by itself: no step waits longer than `pace.ts` lets it, and what differs is run once more. On a busy machine that adds
 * up to minutes; the limit is for a run that hangs.
 */
const timeout = 600_000;

let folder: string;
let compare: (files: string[]) => ReturnType<typeof compareRecordings>;
let stop: () => Promise<void>;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'recordings-'));
  const server = await startApiServer({ port: 0 });
  const connection = connectUrl(server.url);
  const controllers = await startRecordingCluster(connection);
  compare = (files) => compareRecordings(connection, files, { controllers });
  stop = async () => {
    await controllers.close();
    await server.close();
    rmSync(folder, { recursive: true });
  };
});
afterAll(() => stop());

it('the controllers do what the real ones were recorded doing', { timeout }, async () => {
  const results = await compare(quick.map(fileOf));
  expect(results.flatMap(({ differences }) => differences.filter(({ reason }) => reason === undefined))).toEqual([]);
  expect(results.flatMap(({ unused }) => unused)).toEqual([]);
  expect(results).toHaveLength(quick.length);
});

it('a recording of one’s own is judged as those are, and one that cannot be used has failed', {
  timeout,
}, async () => {
  const own = (name: string, text: string): string => {
    const file = path.join(folder, `${name}.jsonl`);
    writeFileSync(file, text);
    return file;
  };
  const recorded = readFileSync(fileOf('pool-crashing'), 'utf8');
  const renamed = recorded
    .replace(/\bweb\b/g, 'pool-one')
    .replace(/\brec-\d+\b/g, 'team-a')
    .replace(/registry\.local\/crash/g, 'mirror.example:5000/own/crashing-agent');
  const drained = recorded.replace('kubectl create -f -', 'kubectl drain node-a');
  const odd = recorded.replaceAll('"involvedObject"', '"involved"');
  const results = await compare([own('renamed', renamed), own('drained', drained), own('odd', odd)]);
  const seen = (name: string) => results.find((result) => result.name === name)?.differences.map((one) => one.seen);
  expect(seen('renamed')).toEqual([]);
  expect(seen('drained')).toEqual([['step not understood: kubectl drain node-a']]);
  expect(seen('odd')).toEqual([[expect.stringMatching(/^an object is not understood: .*involvedObject$/)]]);
});
