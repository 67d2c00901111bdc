import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtServer, holdBuild } from './build.mjs';
import { root } from './paths.mjs';
import { httpUrl } from './ports.mjs';
import { followParent, launch } from './processes.mjs';
import { Stop } from './report.mjs';

const patienceMs = 120_000;

/**
 * Starts the console's server (built, or with hot reload) and waits until it answers.
 * @param {{ port: number, host?: string, kubeconfig?: string, context?: string, embedded?: boolean, practice?: string,
 *   e2b?: { url: string, gateway: string, keyFile: string } | undefined, data?: string, dev?: boolean, log?: string, echo?: boolean,
 *   env?: Record<string, string> }} options
 *   no kubeconfig means the configuration of the Pod it runs in; `e2b` is the sandbox-manager of the embedded cluster, that of
 *   any other is in the environment; `data` is the folder of its database, by default what CONSOLE_DATA_DIR says
 */
export async function startConsole({
  port,
  host = '127.0.0.1',
  kubeconfig,
  context,
  embedded,
  practice,
  e2b,
  data,
  dev,
  log,
  echo,
  env,
}) {
  const next = join(root, 'node_modules/next/dist/bin/next');
  const server = dev ? [next, 'dev', '--port', String(port), '--hostname', host] : [builtServer()];
  const child = launch(process.execPath, [...followParent, ...server], {
    env: {
      NODE_ENV: dev ? 'development' : 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      PORT: String(port),
      HOSTNAME: host,
      CONSOLE_KUBECONFIG: kubeconfig,
      CONSOLE_CONTEXT: context,
      CONSOLE_EMBEDDED: embedded ? '1' : undefined,
      CONSOLE_PRACTICE_URL: practice,
      ...(embedded ? e2bVariables(e2b) : {}),
      CONSOLE_DATA_DIR: process.env.CONSOLE_DATA_DIR || data,
      CONSOLE_DIST_DIR: dev ? '.next-dev' : undefined,
      ...env,
    },
    log,
    echo,
  });
  if (!dev && child.pid) child.exited.then(holdBuild(server[0], child.pid));
  const url = httpUrl(host, port);
  await untilHealthy(child, url);
  return { url, process: child };
}

/** As its clients read them; what the shell has is of another cluster. */
function e2bVariables(e2b) {
  return {
    E2B_API_URL: e2b?.url,
    E2B_SANDBOX_URL: e2b?.gateway,
    E2B_API_KEY: e2b && readFileSync(e2b.keyFile, 'utf8').trim(),
  };
}

async function untilHealthy(child, url) {
  let ended = false;
  child.exited.then(() => {
    ended = true;
  });
  const deadline = Date.now() + patienceMs;
  while (!ended && Date.now() < deadline) {
    const answer = await fetch(`${url}/api/healthz`, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await sleep(100);
  }
  const lines = child.lastLines();
  await child.stop();
  throw new Stop('The console did not start.', 'Its last lines are above.', { lines });
}
