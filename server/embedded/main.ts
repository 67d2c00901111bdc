import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Stop, stopText } from '../bin/lib/report.mjs';
import { bearer, PEOPLE } from './apiserver/auth/people';
import { writeKubeconfigs } from './apiserver/kubeconfig';
import { type ApiServer, startApiServer } from './apiserver/server';
import type { ApiConnection } from './controllers/connect';
import type { RunOptions } from './controllers/run';
import { Switches } from './controllers/switches';
import type { E2bDoor } from './e2b/start';
import { ApiDoor } from './faults/api-door';
import { HELP, type Options, portError, readOptions, UsageError, webhookNamespaces, wholeNumber } from './options';

/** Ways to end what was started, last started first. */
type Ending = () => Promise<void>;

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  if (options.list) {
    const { listing } = await import('./control/list');
    process.stdout.write(listing());
    return;
  }
  if (options['webhook-namespaces'] !== undefined && !(options.webhooks && options['controllers-only'])) {
    throw new UsageError('--webhook-namespaces narrows --webhooks.', 'Add --controllers-only --webhooks.');
  }
  const stops: Ending[] = [];
  const ending = new AbortController();
  const end = (code: number) => {
    if (ending.signal.aborted) return;
    ending.abort();
    // Whatever does not end in time is cut off: nobody waits for a cluster that is thrown away.
    // Webhooks that stay behind would stop every write, though.
    setTimeout(() => process.exit(code), options.webhooks ? 5_000 : 500);
    Promise.allSettled(stops.reverse().map((stop) => stop())).then(() => process.exit(code));
  };
  process.once('SIGTERM', () => end(0));
  process.once('SIGINT', () => end(0));
  process.once('SIGHUP', () => end(0));
  process.once('uncaughtException', (error) => end(report(error)));
  if (options['parent-pid'] !== undefined) {
    const parent = wholeNumber(options['parent-pid'], 'parent-pid', 2 ** 31);
    setInterval(() => isAlive(parent) || end(0), 1_000);
  }
  const start = options['controllers-only'] ? startControllersOnly : startCluster;
  await start(options, stops, ending.signal).catch((error: unknown) => {
    // Whatever fails while everything is being ended fails because of that.
    if (!ending.signal.aborted) end(report(error));
  });
}

/** Says what went wrong; answers the exit code. */
function report(error: unknown): number {
  const stop = error instanceof Stop ? error : undefined;
  process.stderr.write(`${stop ? stopText(stop) : error instanceof Error ? error.stack : error}\n`);
  return stop?.code ?? 1;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function startControllersOnly(options: Options, stops: Ending[], signal: AbortSignal): Promise<void> {
  if (options.kubeconfig === undefined) {
    throw new UsageError('--controllers-only needs a cluster.', 'Name it: --kubeconfig FILE');
  }
  const { reachKubeconfig } = await import('./controllers/reach');
  const { Practice, situationOf } = await import('./practice');
  // Somebody else's cluster is left as it is unless a scenario is asked for by name.
  const situation = options.scenario === undefined ? undefined : situationOf(options);
  const connection = await reachKubeconfig(options.kubeconfig, options.context);
  if (options.webhooks) {
    const { serveWebhooks } = await import('./webhooks/server');
    signal.throwIfAborted();
    await serveWebhooks(connection, (stop) => stops.push(stop), webhookNamespaces(options));
  }
  const switches = new Switches();
  const run = { api: connection, signal, controlPlane: false, switches };
  const { metrics, e2b, e2bDoor } = await startControllers(options, run, options.dir ?? ownFolder(), stops);
  const practice = new Practice({ connection, switches, controlPlane: false, e2b: e2bDoor });
  stops.push(() => practice.close());
  const control = await practice.control(options);
  const file = path.resolve(options.kubeconfig);
  process.stdout.write(`ready ${connection.baseUrl} kubeconfig=${file}${metrics}${control}${e2b}\n`);
  await practice.begin(options, situation, connection, signal);
}

/** What the ready line says about what was started, and where that can be made to fail. */
interface Started {
  metrics: string;
  e2b: string;
  e2bDoor?: E2bDoor;
}

async function startControllers(options: Options, run: RunOptions, dir: string, stops: Ending[]): Promise<Started> {
  const wanted = options['metrics-port'];
  const { runControllers } = await import('./controllers/run');
  const { cluster, metricsPort, stop } = await runControllers({
    ...run,
    ...(wanted === undefined ? {} : { metricsPort: wholeNumber(wanted, 'metrics-port', 65_535) }),
  });
  stops.push(stop);
  const { startE2b } = await import('./e2b/start');
  const { startRuntimes } = await import('./e2b/runtime/runtimes');
  const port = wholeNumber(options['e2b-port'] ?? '0', 'e2b-port', 65_535);
  const gatewayPort = wholeNumber(options['gateway-port'] ?? '0', 'gateway-port', 65_535);
  const e2b = await startE2b({ cluster, dir, startRuntimes, port, gatewayPort });
  stops.push(e2b.stop);
  return {
    metrics: metricsPort === undefined ? '' : ` metrics=http://127.0.0.1:${metricsPort}/metrics`,
    e2b: ` e2b=${e2b.url} gateway=${e2b.gatewayUrl} e2b-key=${e2b.keyFile}`,
    e2bDoor: e2b.door,
  };
}

async function startCluster(options: Options, stops: Ending[], signal: AbortSignal): Promise<void> {
  const port = wholeNumber(options.port ?? '0', 'port', 65_535);
  const { Practice, situationOf } = await import('./practice');
  const situation = options.scenario === undefined && options['no-controllers'] ? undefined : situationOf(options);
  const server = await startApiServer({ port, anonymous: 'refused' }).catch((error: unknown) => {
    throw portError(error, port);
  });
  stops.push(() => server.close());
  const dir = options.dir ?? ownFolder();
  mkdirSync(dir, { recursive: true });
  const kubeconfig = writeKubeconfigs(dir, server);
  const headers: Record<string, string> = bearer('admin');
  const api: ApiConnection = { baseUrl: server.url, headers };
  const door = new ApiDoor(server, tokenSetter(server, dir, headers));
  const switches = new Switches();
  const withControllers = !options['no-controllers'] && situation?.controllers !== false;
  const { metrics, e2b, e2bDoor }: Started = withControllers
    ? await startControllers(options, { api, signal, switches }, dir, stops)
    : { metrics: '', e2b: '' };
  const practice = new Practice({ connection: api, switches, controlPlane: true, door, e2b: e2bDoor });
  stops.push(() => practice.close());
  const control = await practice.control(options);
  process.stdout.write(`ready ${server.url} kubeconfig=${kubeconfig}${metrics}${control}${e2b}\n`);
  await practice.begin(options, situation, api, signal);
}

/** A folder for kubeconfigs that nobody needs any more when this process has ended. */
function ownFolder(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'embedded-cluster-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Another token goes into the kubeconfig; what runs in this process has no other way to learn it than its `headers`. */
function tokenSetter(server: ApiServer, dir: string, headers: Record<string, string>) {
  const tokens = new Map(PEOPLE.map(({ name, token }) => [name, token]));
  return (person: string, token = PEOPLE.find(({ name }) => name === person)?.token ?? ''): void => {
    tokens.set(person, token);
    server.setToken(person, token);
    if (person === 'admin') headers.Authorization = `Bearer ${token}`;
    writeKubeconfigs(dir, server, tokens);
  };
}

main().catch((error: unknown) => process.exit(report(error)));
