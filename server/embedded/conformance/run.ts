import { setMaxListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Api } from '../controllers/client/api';
import { type ApiConnection, connectKubeconfig, connectUrl, isLoopback } from '../controllers/connect';
import { type RunOptions, runControllers } from '../controllers/run';
import { fastDelays } from '../kubelet/options';
import { ensureNodes } from '../scenarios/objects';
import { runDiscovery } from './api/discovery';
import { type Abilities, isRefusals, runRefusals } from './api/refusals';
import { runApiScripts } from './api/run';
import { runTables } from './api/tables';
import { Client } from './client';
import { installDefinitions } from './definitions';
import { compareRecordings, type RecordingResult, startRecordingCluster } from './recordings/index';
import type { Report, Result } from './result';

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

/** The cluster is not on this machine, and nobody said that it may be used. */
export class NotLocal extends Error {}

/**
 * Runs the suites on the embedded cluster or the given one; `say` prints a line, `atStop` is told what else has to be done when
 * the run is cut short.
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
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const stops: (() => Promise<void> | void)[] = [];
  try {
    const { connection, abilities } = await connect(options, say, (stop) => {
      stops.push(stop);
      atStop(stop);
    });
    const client = new Client(connection);
    stops.push(() => client.close());
    await installDefinitions(client);
    const embedded = options.kubeconfig === undefined;
    const { recording, only } = options;
    const run = { api: connection, signal: stopping.signal, controlPlane: embedded };
    if (only !== 'recordings' && recording === undefined) {
      // Nobody but the control plane acts while single requests are looked at.
      const quiet = embedded ? await runControllers({ ...run, controllers: false, kubelet: false }) : undefined;
      await runApiScripts(client, report, options.record === true);
      await quiet?.stop();
    }
    const refusals = recording === undefined ? RECORDED_REQUESTS : isRefusals(recording) ? recording : undefined;
    if (refusals !== undefined && only !== 'recordings' && options.record !== true) {
      await withControllers(run, async () => {
        await recordedRequests(connection, report, refusals, abilities);
        if (recording !== undefined) return;
        await runTables(client, report);
        await runDiscovery(client, report);
      });
    }
    const scenarios = recording === undefined ? allScenarios() : refusals === undefined ? [recording] : [];
    if (scenarios.length > 0 && only !== 'api')
      await runScenarios(connection, embedded, abilities, scenarios, report, say);
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
  const onResult = ({ name, facts, differences }: RecordingResult) => {
    const unexplained = differences.filter(({ reason }) => reason === undefined);
    known += differences.length - unexplained.length;
    const details = unexplained.map(
      ({ object, fact, recorded, seen }) =>
        `${object} ${fact}: expected ${JSON.stringify(recorded)}, got ${JSON.stringify(seen)}`,
    );
    const outcome = details.length === 0 ? 'passed' : 'failed';
    report({ suite: 'recordings', group: name, name: `${facts} facts`, outcome, details });
  };
  try {
    await compareRecordings(connection, files, { webhooks, controllers, onResult });
  } finally {
    await controllers.close();
  }
  say(`${known} known differences from the recordings, each with its reason`);
}

interface Asked {
  connection: ApiConnection;
  abilities: Abilities;
}

/** The server that is asked, and what can be done to it besides asking. */
async function connect(
  options: ConformanceOptions,
  say: (line: string) => void,
  atStop: (stop: () => Promise<void>) => void,
): Promise<Asked> {
  if (options.kubeconfig === undefined) {
    const { startApiServer } = await import('../apiserver/server');
    const server = await startApiServer({ anonymous: 'refused' });
    atStop(() => server.close());
    const abilities = { webhooks: true, compact: () => server.compact(), setWebhooksAway: server.setWebhooksAway };
    return { connection: connectUrl(server.url, { Authorization: 'Bearer practice-admin' }), abilities };
  }
  const connection = connectKubeconfig(options.kubeconfig, options.context);
  if (options.yes !== true && !isLoopback(connection)) {
    throw new NotLocal(`${connection.baseUrl} is not on this machine, and this makes and deletes objects there.`);
  }
  const { serveWebhooks, WebhooksOutOfReach } = await import('../webhooks/server');
  const webhooks = await serveWebhooks(connection, atStop).catch((error: unknown) => {
    if (!(error instanceof WebhooksOutOfReach)) throw error;
    say(`${error.message} What the webhooks refuse is left out.`);
    return undefined;
  });
  if (webhooks === undefined) return { connection, abilities: { webhooks: false } };
  return { connection, abilities: { webhooks: true, setWebhooksAway: webhooks.setAway } };
}
