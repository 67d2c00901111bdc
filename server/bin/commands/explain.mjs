import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { refuseSwallowed } from '../lib/flags.mjs';
import { ensureInstall } from '../lib/install.mjs';
import { root, typedPath } from '../lib/paths.mjs';
import { Stop } from '../lib/report.mjs';

const help = `Usage: npm run explain -- FILE… [FLAGS]

Why does it hang? Prints a verdict on every sandbox, pool, operation, claim and checkpoint in the files: state, since when
and by which clock, the gates of the controller in its order, the cause with its evidence, and the ways out, the safest
first. The rules are those of the page Stuck; what the page knows besides, a file does not have: when somebody who watched
saw a state begin, and limits that were changed (the defaults count here). What is missing is said, and nothing is concluded
from it. Nothing is sent anywhere, secrets are masked.

Each verdict begins with ACT or LATE: past a limit, or it never ends; SEE: at fault, and nobody waits for it; ?: values that
this version does not know; ok.

  FILE               objects as kubectl prints them with -o yaml or -o json, several documents and lists included; - is
                     what comes in through a pipe; or one recording (.jsonl). Of a kind in a list all objects are taken to
                     be there: what is not, does not exist. The more kinds, the more can be told:
                     kubectl get sandboxes,pods,events,nodes,sandboxsets,sandboxupdateops,sandboxclaims,sandboxtemplates,checkpoints
                       -A -o yaml
  --now TIME         judge files as of this time, as in 2026-11-03T08:00:00Z (default: the clock of this machine; where
                     the objects' clock is ahead of it, that is taken off)
  --at SECONDS       of a recording: so many seconds after its start (default: its end)
  --json             JSON: {judgedAt, clockSkewMs, notes, verdicts}; times as in Kubernetes
  --help             this text

Exit codes: 0 explained, whatever was found; 2 a flag or a file that cannot be read.
`;

const flagTypes = {
  now: { type: 'string' },
  at: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
};

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const usage = (sentence) => new Stop(sentence, 'Its flags: npm run explain -- --help', { code: 2 });

/**
 * What to explain, from the command line.
 * @param {string[]} argv
 * @returns {{ files: string[], at?: number, now?: number, json?: boolean, help?: boolean }}
 */
export function explainOptions(argv) {
  refuseSwallowed(flagTypes);
  let parsed;
  try {
    parsed = parseArgs({ args: argv, options: flagTypes, strict: true, allowPositionals: true });
  } catch (error) {
    throw usage(`${String(error.message).split('. ')[0]}.`);
  }
  const { at, now, json, help } = parsed.values;
  const files = parsed.positionals.map((file) => (file === '-' ? file : typedPath(file)));
  if (help) return { files, help };
  if (files.length === 0) throw usage('There is no file to explain.');
  if (files.filter((file) => file === '-').length > 1) throw usage('- can be given once.');
  if (at !== undefined && !/^\d+(\.\d+)?$/.test(at)) throw usage(`--at takes seconds, not "${at}".`);
  if (now !== undefined && !(rfc3339.test(now) && Number.isFinite(Date.parse(now)))) {
    throw usage(`--now takes a time like 2026-11-03T08:00:00Z, not "${now}".`);
  }
  return {
    files,
    ...(at === undefined ? {} : { at: Number(at) }),
    ...(now === undefined ? {} : { now: Date.parse(now) }),
    ...(json ? { json } : {}),
  };
}

/**
 * `npm run explain`. The verdicts are those of the server, whose modules load under the condition `react-server` only: in a
 * process of their own.
 */
export async function explain() {
  const options = explainOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  await ensureInstall();
  const loader = pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href;
  const main = join(root, 'server/explain/main.ts');
  const args = ['--conditions=react-server', '--import', loader, main, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
