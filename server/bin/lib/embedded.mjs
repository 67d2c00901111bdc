import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';
import { launch } from './processes.mjs';
import { Stop } from './report.mjs';

/** The scenario of `npm start` when none is named. */
export const defaultScenario = 'lively';

/**
 * A {@link Stop} that lists the scenarios when this is none of them.
 * @param {string} scenario one, or several separated by commas
 */
export async function requireScenario(scenario) {
  const { register } = await import('tsx/esm/api');
  const unregister = register();
  try {
    const { situationOf } = await import('../../embedded/practice.ts');
    situationOf({ scenario });
  } finally {
    await unregister();
  }
}

/** `node` arguments that run the embedded cluster in one process, so that signals reach it. */
export const embeddedCommand = [
  '--import',
  pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href,
  join(root, 'server/embedded/main.ts'),
];

/**
 * What the line says with which the cluster begins; undefined for any other line. `e2b` is the sandbox-manager, its gateway and
 * the file with its key, when one runs.
 * @param {string} line
 */
export function readyOf(line) {
  const match =
    /^ready (\S+) kubeconfig=(.+?)(?: metrics=\S+)?(?: control=(\S+))?(?: e2b=(\S+) gateway=(\S+) e2b-key=(.+))?$/.exec(
      line,
    );
  if (!match) return undefined;
  const [, url, kubeconfig, control, api, gateway, keyFile] = match;
  return { url, kubeconfig, control, e2b: api && { url: api, gateway, keyFile } };
}

/**
 * Starts the embedded cluster, or with `kubeconfig` its controllers alone on another one.
 * @param {{ dir: string, port?: number, scenario?: string, kubeconfig?: string, log?: string, extra?: string[] }} options
 */
export async function startEmbedded({ dir, port = 0, scenario = defaultScenario, kubeconfig, log, extra = [] }) {
  const args = kubeconfig
    ? ['--controllers-only', '--kubeconfig', kubeconfig]
    : ['--port', String(port), '--dir', dir, '--scenario', scenario];
  args.push('--parent-pid', String(process.pid), ...extra);
  const cluster = launch(process.execPath, [...embeddedCommand, ...args], { log });
  const ready = await new Promise((resolve) => {
    const stopListening = cluster.onLine((line) => {
      const found = readyOf(line);
      if (!found) return;
      stopListening();
      resolve(found);
    });
    cluster.exited.then(() => resolve(undefined));
  });
  if (!ready) {
    throw new Stop('The embedded cluster did not start.', 'Its last lines are above.', { lines: cluster.lastLines() });
  }
  return { ...ready, process: cluster };
}
