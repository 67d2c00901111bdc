import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from '../lib/build.mjs';
import { startConsole } from '../lib/console.mjs';
import { defaultScenario, requireScenario, startEmbedded } from '../lib/embedded.mjs';
import { followFirstContact } from '../lib/first-contact.mjs';
import { parseFlags, parsePort } from '../lib/flags.mjs';
import { ensureInstall } from '../lib/install.mjs';
import { chosenContext, missingKubeconfig, runsInPod, serverOf } from '../lib/kubeconfig.mjs';
import { cacheDir, typedPath } from '../lib/paths.mjs';
import { claimPort } from '../lib/ports.mjs';
import { Stop, withProgress } from '../lib/report.mjs';

const help = `Usage: npm start [-- FLAGS]        the console, built
       npm run dev [-- FLAGS]      the same with hot reload

Without --kubeconfig it starts the embedded cluster, a simulator; in a Pod it uses the cluster of that Pod.

  --kubeconfig FILE   run on this cluster
  --context NAME      a context of that file other than the current one
  --scenario NAME     what happens in the embedded cluster (default: ${defaultScenario}; list: npm run cluster -- --list)
  --port N            port of the console (default: 3000; 0 for any free one)
  --host HOST         address to listen on (default: 127.0.0.1, this machine only)
  --dev               hot reload instead of a build
  --help              this text
`;

const flagTypes = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  scenario: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  dev: { type: 'boolean' },
  help: { type: 'boolean' },
};

/**
 * Which cluster, from what was asked for; never another one than that.
 * @param {{ kubeconfig?: string, context?: string, scenario?: string }} flags
 * @param {{ CONSOLE_KUBECONFIG?: string, CONSOLE_CONTEXT?: string }} env stands in for flags that are not given
 * @param {boolean} inPod
 */
export function chooseCluster(flags, env, inPod) {
  const { scenario } = flags;
  if (scenario && flags.kubeconfig) {
    throw new Stop('--scenario and --kubeconfig exclude each other.', 'Scenarios are of the embedded cluster.', {
      code: 2,
    });
  }
  if (scenario) return { kind: 'embedded', scenario };
  const kubeconfig = flags.kubeconfig ?? env.CONSOLE_KUBECONFIG;
  const context = flags.context ?? env.CONSOLE_CONTEXT;
  if (kubeconfig) return { kind: 'kubeconfig', path: typedPath(kubeconfig), context };
  if (context) {
    throw new Stop('--context needs a file.', 'Say which one: --kubeconfig FILE --context NAME', { code: 2 });
  }
  return inPod ? { kind: 'in-cluster' } : { kind: 'embedded', scenario: defaultScenario };
}

/** What is stored of a cluster, by the address of its API server, outlives the console that stored it. */
const dataDir = (server) => join(cacheDir, 'data', createHash('sha256').update(server).digest('hex').slice(0, 16));

/** The cluster as the console is told about it, started first when it is the embedded one. */
async function reachCluster(cluster, runDir) {
  if (cluster.kind === 'in-cluster') return { options: { data: dataDir('in-cluster') }, name: 'in-cluster' };
  if (cluster.kind === 'kubeconfig') {
    const { parse } = await import('yaml');
    const context = chosenContext(cluster.path, cluster.context, parse);
    const server = serverOf(cluster.path, context, parse);
    const contact = { kubeconfig: cluster.path, context, server };
    return {
      options: { kubeconfig: cluster.path, context, data: dataDir(server ?? cluster.path) },
      name: context,
      contact,
    };
  }
  const { scenario } = cluster;
  const log = join(runDir, 'cluster.log');
  const embedded = await withProgress(`Starting the embedded cluster (scenario ${scenario})`, () =>
    startEmbedded({ dir: join(runDir, 'cluster'), scenario, log, extra: ['--control-port', '0'] }),
  );
  // It forgets what was in it, and with it goes what was stored of it.
  const data = join(runDir, 'data');
  rmSync(data, { recursive: true, force: true });
  const { kubeconfig, control: practice, e2b } = embedded;
  const options = { kubeconfig, embedded: true, practice, e2b, data };
  return { options, name: `embedded, scenario ${scenario}`, process: embedded.process };
}

/** Settles when one of the processes that must run has ended. */
async function untilOneEnds(processes) {
  const endings = Object.entries(processes).map(async ([name, child]) => {
    const code = await child.exited;
    return new Stop(`The ${name} ended unexpectedly (exit code ${code}).`, 'Its last lines are above.', {
      lines: child.lastLines(),
    });
  });
  throw await Promise.race(endings);
}

/** `npm start` and `npm run dev`. */
export async function start(run) {
  const flags = parseFlags(process.argv.slice(2), flagTypes);
  if (flags.help) {
    process.stdout.write(help);
    return 0;
  }
  const host = flags.host ?? '127.0.0.1';
  const { PORT = '3000' } = process.env;
  const wantedPort = flags.port === undefined ? parsePort(PORT, 'PORT') : parsePort(flags.port, '--port');
  const cluster = chooseCluster(flags, process.env, runsInPod());
  if (cluster.kind === 'kubeconfig' && !existsSync(cluster.path)) throw missingKubeconfig(cluster.path);
  const port = await claimPort(wantedPort, host);

  await ensureInstall();
  // What can be wrong with a scenario or a kubeconfig is said before anything is built.
  if (flags.scenario) await requireScenario(flags.scenario);
  const runDir = join(cacheDir, 'run', String(port));
  const reached = cluster.kind === 'embedded' ? undefined : await reachCluster(cluster, runDir);
  if (!flags.dev) await ensureBuild();
  const { options, name, contact, process: clusterProcess } = reached ?? (await reachCluster(cluster, runDir));
  const server = await withProgress('Starting the console', () =>
    startConsole({
      ...options,
      port,
      host,
      dev: flags.dev,
      log: join(runDir, 'console.log'),
      echo: flags.dev,
    }),
  );
  run.stopCode = 0;
  process.stdout.write(`Console ready: ${server.url}  (cluster: ${name})\n`);
  if (cluster.kind !== 'embedded' && !process.env.E2B_API_URL) {
    process.stdout.write('Tasks are off: E2B_API_URL names no sandbox-manager (README, Tasks)\n');
  }
  if (contact) void followFirstContact(server.url, contact);
  return untilOneEnds({
    console: server.process,
    ...(clusterProcess ? { 'embedded cluster': clusterProcess } : {}),
  });
}
