import { setMaxListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Api } from '../controllers/client/api';
import type { ApiConnection } from '../controllers/connect';
import { type RunOptions, runControllers } from '../controllers/run';
import { fastDelays } from '../kubelet/options';
import { ensureNodes } from '../scenarios/objects';
import { runDiscovery } from './api/discovery';
import { runExplain } from './api/explain';
import { type Abilities, isRefusals, runRefusals } from './api/refusals';
import { runApiScripts } from './api/run';
import { runTables } from './api/tables';
import { Client } from './client';
import { connect } from './connect';
import { installDefinitions } from './definitions';
import { runDocuments } from './documents/index';
import { compareRecordings, loadRecording, type RecordingResult, startRecordingCluster } from './recordings/index';
import type { Report, Result } from './result';
import { type KubectlCluster, withKubectl } from './with-kubectl';

export { NotLocal } from './connect';

export interface ConformanceOptions {
  kubeconfig?: string;
  context?: string;
  /** Whether a cluster that is not on this machine may be used. */
  yes?: boolean;
  recording?: string;
  only?: string;
  record?: boolean;
  /** Of the fuzz. */
  requests?: number;
  seed?: number;
}

/**
 * Runs the suites on the embedded cluster or the given one; `say` prints a line, `atStop` is told what else has to be done when
 * the run is cut short.
 * @throws UnusableFile for a recording that is none, NotLocal for a cluster elsewhere.
 */
export async function runConformance(
  options: ConformanceOptions,
  say: (line: string) => void,
  atStop: (stop: () => Promise<void>) => void = () => undefined,
): Promise<Result[]> {
  const results: Result[] = [];
  const report: Report = (result) => {
    results.push(result);
    if (result.outcome !== 'failed') return;
    say(`FAILED ${result.group}: ${result.name}`);
    for (const line of result.details.slice(0, DETAILS)) say(`  ${line}`);
    if (result.details.length > DETAILS) say(`  … and ${result.details.length - DETAILS} more differences`);
  };
  if (options.only === 'fuzz') {
    for (const result of await fuzzed(options, say)) report(result);
    return counted(results, say);
  }
  const { recording, only } = options;
  const asks = (suite: Result['suite']) => only === undefined || only === suite;
  const refusals = recording === undefined ? RECORDED_REQUESTS : isRefusals(recording) ? recording : undefined;
  // A damaged file is told before anything is started.
  if (recording !== undefined && refusals === undefined) loadRecording(recording);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const stops: (() => Promise<void> | void)[] = [];
  try {
    const { connection, abilities, cluster } = await connect(options, say, (stop) => {
      stops.push(stop);
      atStop(stop);
    });
    const client = new Client(connection);
    stops.push(() => client.close());
    await installDefinitions(client);
    const embedded = options.kubeconfig === undefined;
    const run = { api: connection, signal: stopping.signal, controlPlane: embedded };
    if (asks('api') && recording === undefined) {
      // Nobody but the control plane acts while single requests are looked at.
      const quiet = embedded ? await runControllers({ ...run, controllers: false, kubelet: false }) : undefined;
      await runApiScripts(client, report, options.record === true);
      await quiet?.stop();
      await explained(cluster, report, options.record === true);
    }
    if (refusals !== undefined && asks('api') && options.record !== true) {
      await withControllers(run, async () => {
        await recordedRequests(connection, report, refusals, abilities);
        if (recording !== undefined) return;
        await runTables(client, cluster, report);
        await runDiscovery(client, report);
      });
    }
    const scenarios = recording === undefined ? allScenarios() : refusals === undefined ? [recording] : [];
    if (scenarios.length > 0 && asks('recordings'))
      await runScenarios(connection, embedded, abilities, scenarios, report, say);
    if (recording === undefined && asks('documents') && options.record !== true)
      await runDocuments(connection, { cluster, webhooks: abilities.webhooks }, report);
  } finally {
    stopping.abort();
    for (const stop of stops.reverse()) await stop();
  }
  return counted(results, say);
}

function counted(results: Result[], say: (line: string) => void): Result[] {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const skipped = count('skipped');
  say(`${count('passed')} passed, ${count('failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  return results;
}

/** Random requests to a server of their own. */
async function fuzzed({ requests = 100_000, seed = 1 }: ConformanceOptions, say: (line: string) => void) {
  const [{ startApiServer }, { fuzz }] = await Promise.all([import('../apiserver/server'), import('./fuzz')]);
  const server = await startApiServer({ anonymous: 'refused' });
  try {
    return await fuzz({ url: server.url, requests, seed, compact: server.compact, say });
  } finally {
    await server.close();
  }
}

const DETAILS = 8;
const RECORDED_REQUESTS = fileURLToPath(new URL('../apiserver/fixtures/refusals.jsonl', import.meta.url));
const SCENARIOS = fileURLToPath(new URL('../../testing/recordings/', import.meta.url));

const allScenarios = () =>
  readdirSync(SCENARIOS)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => SCENARIOS + file);

/** What `kubectl explain` shows. */
async function explained(cluster: KubectlCluster, report: Report, record: boolean): Promise<void> {
  if (await withKubectl(cluster, (target) => runExplain(target, report, record))) return;
  const details = ['There is no kubectl on the PATH.'];
  report({ suite: 'api', group: 'explain', name: 'kubectl explain', outcome: 'skipped', details });
}

async function withControllers(run: RunOptions, act: () => Promise<void>): Promise<void> {
  const api = new Api(run.api);
  await ensureNodes(api, 3);
  api.close();
  const controllers = await runControllers({ ...run, delays: fastDelays });
  try {
    await act();
  } finally {
    await controllers.stop();
  }
}

async function recordedRequests(api: ApiConnection, report: Report, file: string, abilities: Abilities): Promise<void> {
  // The recording client had no name.
  const client = new Client(api, '');
  try {
    await runRefusals(client, report, file, abilities);
  } finally {
    client.close();
  }
}

/** Drives the steps of recorded scenarios; a difference that is listed with its reason is no failure. */
async function runScenarios(
  connection: ApiConnection,
  embedded: boolean,
  { webhooks }: Abilities,
  files: string[],
  report: Report,
  say: (line: string) => void,
): Promise<void> {
  const controllers = await startRecordingCluster(connection, { controlPlane: embedded });
  let known = 0;
  let again = 0;
  const onResult = ({ name, facts, atFirst, differences, unused }: RecordingResult) => {
    if (atFirst !== undefined) {
      again += 1;
      const what = atFirst.map(({ object, fact }) => `${object} ${fact}`.trim());
      say(`${name} was run twice; the first time ${what.length} sequences differed, as ${what[0]}`);
    }
    for (const line of unused) say(`a known difference that did not occur: ${line}`);
    const unexplained = differences.filter(({ reason }) => reason === undefined);
    known += differences.length - unexplained.length;
    const details = unexplained.map(
      ({ object, fact, recorded, seen }) =>
        `${object} ${fact}: expected ${JSON.stringify(recorded)}, got ${JSON.stringify(seen)}`,
    );
    const outcome = details.length === 0 ? 'passed' : 'failed';
    const how = atFirst === undefined ? '' : ', run twice';
    report({ suite: 'recordings', group: name, name: `${facts} facts${how}`, outcome, details });
  };
  try {
    await compareRecordings(connection, files, { webhooks, controllers, onResult });
  } finally {
    await controllers.close();
  }
  say(
    `${known} known differences from the recordings, each with its reason; ${again} of ${files.length} were run twice`,
  );
}
