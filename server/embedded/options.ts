import { parseFlags } from '../bin/lib/flags.mjs';
import { Stop } from '../bin/lib/report.mjs';

export const HELP = `Usage: npm run cluster [-- FLAGS]

Starts an embedded Kubernetes cluster with the agents.kruise.io kinds on the loopback address: an API server, the
OpenKruise Agents controllers, a simulated kubelet, and a sandbox-manager with its gateway. Prints one line when ready:

  ready http://127.0.0.1:PORT kubeconfig=PATH [metrics=URL] [control=URL] [e2b=URL gateway=URL e2b-key=FILE]

  --port N              port of the API server (default 0: any free port)
  --dir DIR             where the kubeconfigs are written (default: a new folder for temporary files): kubeconfig
                        (of admin), kubeconfig-operator, kubeconfig-viewer, kubeconfig-scaler (scales pools only) and
                        kubeconfig-tenant (one namespace). Their tokens are fixed words: this is a practice cluster
  --scenario NAME,…     what happens in the cluster (see --list; without controllers nothing unless named)
  --fault NAME[=JSON]   a fault to begin with, and its parameters (see --list); may be given several times
  --sandboxes N         how many sandboxes a scenario that scales shall make
  --list                names the scenarios with the traps that each produces, and the faults with their parameters; ends
  --control-port N      opens the control door on this port of the loopback address (0: any free one); off unless given
  --metrics-port N      serves the metrics of the controllers on this port of the loopback address (0: any free one)
  --e2b-port N          port of the sandbox-manager on the loopback address (default 0: any free one)
  --gateway-port N      port of its gateway on the loopback address (default 0: any free one)
  --no-controllers      the API server alone
  --controllers-only    controllers, kubelet and sandbox-manager alone, on the cluster of --kubeconfig; a scenario only if
                        named: "empty" makes the simulated nodes that a bare control plane lacks
  --kubeconfig FILE     the cluster for --controllers-only
  --webhooks            with --controllers-only: the admission webhooks of the agents kinds too, only for an API server
                        that runs on this machine itself (not in a container); they are taken out of it at the end, and
                        what a killed run left is replaced at the next start
  --webhook-namespaces NAME,…
                        has them called only for these namespaces (default: for all, as upstream)
  --context NAME        a context of that file other than its current one
  --parent-pid PID      ends when this process has ended
  --help                shows this text

The sandbox-manager serves the E2B-compatible API: the client e2b 2.50.0 (npm) gets sandboxes from the pools, runs commands
and Python in them, and has files. Its key is another one at each start, and in the file for its owner alone:

  E2B_API_URL=URL of e2b  E2B_SANDBOX_URL=URL of gateway  E2B_API_KEY=$(cat FILE) node --input-type=module -e "
    import { Sandbox } from 'e2b';
    const sandbox = await Sandbox.create('python-tools');
    console.log((await sandbox.commands.run('python3 -c \\"print(6 * 7)\\"')).stdout);
    await sandbox.kill();"

The control door starts and ends scenarios and faults. It speaks JSON (a POST needs Content-Type: application/json), and
only to this machine:

  GET    /scenarios                 all of them, and which are running
  POST   /scenarios/NAME/start      a scenario in its own namespace, beside everything else
  POST   /scenarios/NAME/end        ends it and takes away what it made
  GET    /faults                    all of them with their parameters, and which are active, since when and until when
  POST   /faults/NAME               {"params": {…}, "seconds": N}: starts one (for N seconds) and answers its id
  DELETE /faults/ID                 ends one
  DELETE /faults                    ends all
`;

/** A mistake in the command line: what is wrong, and what to write instead. */
export class UsageError extends Stop {
  constructor(sentence: string, remedy: string) {
    super(sentence, remedy, { code: 2 });
  }
}

const OPTIONS = {
  port: { type: 'string' },
  dir: { type: 'string' },
  scenario: { type: 'string' },
  fault: { type: 'string', multiple: true },
  sandboxes: { type: 'string' },
  list: { type: 'boolean' },
  'control-port': { type: 'string' },
  'metrics-port': { type: 'string' },
  'e2b-port': { type: 'string' },
  'gateway-port': { type: 'string' },
  'no-controllers': { type: 'boolean' },
  'controllers-only': { type: 'boolean' },
  webhooks: { type: 'boolean' },
  'webhook-namespaces': { type: 'string' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  'parent-pid': { type: 'string' },
  help: { type: 'boolean' },
} as const;

export const readOptions = () => parseFlags(process.argv.slice(2), OPTIONS);

export type Options = ReturnType<typeof readOptions>;

/** Nothing when they are called for all. */
export function webhookNamespaces({ 'webhook-namespaces': text }: Options): string[] | undefined {
  const names = text?.split(',').map((name) => name.trim());
  const wrong = names?.find((name) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name));
  if (wrong === undefined) return names;
  throw new UsageError(`"${wrong}" is no name of a namespace.`, 'Write --webhook-namespaces NAME,NAME,…');
}

export function wholeNumber(text: string, option: string, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  throw new UsageError(`--${option} is "${text}".`, `Give a whole number from 0 to ${most}.`);
}

/** What went wrong with a port, where the person can do something about it. */
export function portError(error: unknown, port: number, option = 'port'): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'EADDRINUSE') {
    return new Stop(`Port ${port} is taken on 127.0.0.1.`, `Choose another with --${option} N, or 0 for any free one.`);
  }
  if (error.code === 'EACCES') return new Stop(`Port ${port} may not be used by this user.`, 'Choose one above 1023.');
  return error;
}
