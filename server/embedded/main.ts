import { mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeKubeconfig } from './apiserver/kubeconfig';
import { startApiServer } from './apiserver/server';
import type { ApiConnection } from './controllers/connect';

const HELP = `Usage: tsx server/embedded/main.ts [options]

Starts an embedded Kubernetes cluster with the agents.kruise.io kinds on the loopback address: an API server, the
OpenKruise Agents controllers and a simulated kubelet. Prints one line when it is ready:

  ready http://127.0.0.1:PORT kubeconfig=PATH

  --port N              port of the API server (default 0: any free port)
  --dir DIR             where the kubeconfig is written (default: a new folder for temporary files)
  --scenario NAME       what happens in the cluster (see --list; without controllers nothing unless named)
  --sandboxes N         how many sandboxes a scenario that scales shall make
  --list                names the scenarios and ends
  --no-controllers      the API server alone
  --controllers-only    controllers and kubelet alone, on the cluster of --kubeconfig; a scenario only if named:
                        "empty" makes the simulated nodes that a bare control plane lacks
  --kubeconfig FILE     the cluster for --controllers-only
  --context NAME        a context of that file other than its current one
  --parent-pid PID      ends when this process has ended
  --help                shows this text
`;

/** A mistake of the person who started the command; its message is all they need. */
class UsageError extends Error {}

const OPTIONS = {
  port: { type: 'string', default: '0' },
  dir: { type: 'string' },
  scenario: { type: 'string' },
  sandboxes: { type: 'string' },
  list: { type: 'boolean', default: false },
  'no-controllers': { type: 'boolean', default: false },
  'controllers-only': { type: 'boolean', default: false },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  'parent-pid': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS, strict: true }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\nTry --help.`);
  }
}

type Options = ReturnType<typeof readOptions>;

function wholeNumber(text: string, option: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new UsageError(`--${option} takes a whole number from 0 to ${most}, not "${text}".`);
  }
  return value;
}

/** What has to be ended, last started first. */
type Stop = () => Promise<void>;

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  if (options.list) {
    const { scenarios } = await import('./scenarios/index');
    for (const [name, { title }] of Object.entries(scenarios)) process.stdout.write(`${name.padEnd(24)} ${title}\n`);
    return;
  }
  const stops: Stop[] = [];
  const ending = new AbortController();
  const end = (code: number) => {
    if (ending.signal.aborted) return;
    ending.abort();
    // Whatever does not end in time is cut off: nobody waits for a cluster that is thrown away.
    setTimeout(() => process.exit(code), 500);
    Promise.allSettled(stops.reverse().map((stop) => stop())).then(() => process.exit(code));
  };
  process.once('SIGTERM', () => end(0));
  process.once('SIGINT', () => end(0));
  if (options['parent-pid'] !== undefined) {
    const parent = wholeNumber(options['parent-pid'], 'parent-pid', 2 ** 31);
    setInterval(() => isAlive(parent) || end(0), 1_000);
  }
  if (options['controllers-only']) await startControllersOnly(options, stops, ending.signal);
  else await startCluster(options, stops, ending.signal);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function startControllersOnly(options: Options, stops: Stop[], signal: AbortSignal): Promise<void> {
  if (options.kubeconfig === undefined) throw new UsageError('--controllers-only needs --kubeconfig FILE.');
  const { connectKubeconfig } = await import('./controllers/connect');
  const { runControllers } = await import('./controllers/run');
  const connection = connectKubeconfig(options.kubeconfig, options.context);
  const controllers = await runControllers({ api: connection, signal, controlPlane: false });
  stops.push(() => controllers.stop());
  process.stdout.write(`ready ${connection.baseUrl} kubeconfig=${path.resolve(options.kubeconfig)}\n`);
  // Somebody else's cluster is left as it is unless a scenario is asked for by name.
  if (options.scenario !== undefined) await startScenario(options, connection, signal);
}

async function startScenario(options: Options, api: ApiConnection, signal: AbortSignal): Promise<void> {
  const scenario = await scenarioOf(options);
  const { sandboxes } = options;
  const size = sandboxes === undefined ? {} : { sandboxes: wholeNumber(sandboxes, 'sandboxes', 1_000_000) };
  try {
    await scenario?.start({ api, signal, ...size });
  } catch (error) {
    // A scenario that is cut short by the end of the cluster has not failed.
    if (!signal.aborted) throw error;
  }
}

async function startCluster(options: Options, stops: Stop[], signal: AbortSignal): Promise<void> {
  const port = wholeNumber(options.port, 'port', 65_535);
  const scenario = await scenarioOf(options);
  const server = await startApiServer({ port }).catch((error: unknown) => {
    throw portError(error, port);
  });
  stops.push(() => server.close());
  const dir = options.dir ?? mkdtempSync(path.join(os.tmpdir(), 'embedded-cluster-'));
  mkdirSync(dir, { recursive: true });
  const kubeconfig = path.resolve(dir, 'kubeconfig');
  writeKubeconfig(kubeconfig, server.url);
  const api = { baseUrl: server.url };
  if (!options['no-controllers'] && scenario?.controllers !== false) {
    const { runControllers } = await import('./controllers/run');
    const controllers = await runControllers({ api, signal });
    stops.push(() => controllers.stop());
  }
  process.stdout.write(`ready ${server.url} kubeconfig=${kubeconfig}\n`);
  await startScenario(options, api, signal);
}

async function scenarioOf(options: Options) {
  if (options.scenario === undefined && options['no-controllers']) return undefined;
  const { defaultScenario, scenarios } = await import('./scenarios/index');
  const name = options.scenario ?? defaultScenario;
  const scenario = scenarios[name];
  if (scenario === undefined) {
    throw new UsageError(`There is no scenario "${name}". There are: ${Object.keys(scenarios).join(', ')}.`);
  }
  return scenario;
}

function portError(error: unknown, port: number): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'EADDRINUSE') {
    return new UsageError(`Port ${port} is taken on 127.0.0.1. Choose another with --port N, or 0 for any free one.`);
  }
  if (error.code === 'EACCES')
    return new UsageError(`Port ${port} may not be used by this user. Choose one above 1023.`);
  return error;
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof UsageError ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  process.exit(1);
});
