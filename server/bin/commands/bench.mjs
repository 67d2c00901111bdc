import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuild } from '../lib/build.mjs';
import { parseFlags } from '../lib/flags.mjs';
import { ensureInstall } from '../lib/install.mjs';
import { root, typedPath } from '../lib/paths.mjs';
import { followParent, launch } from '../lib/processes.mjs';
import { Stop, say } from '../lib/report.mjs';

const defaults = { sandboxes: 10_000, rate: 500, seconds: 20, browsers: 200, watchers: 100, tasks: 200 };

const historySeconds = 600;

const help = `Usage: npm run bench [-- FLAGS]

Measures the built console on the embedded cluster, with a headless browser: how fast it opens, how late it is while
the cluster changes, what it weighs; and the cluster itself: how long it takes to make its sandboxes, what it weighs,
how it serves many watches. Prints a table with the budget of each figure.

  --json FILE     also as JSON: a list of {name, value, unit, budget, reference, ratio, ok}
  --sandboxes N   sandboxes in the cluster (default: ${defaults.sandboxes})
  --rate N        status changes a second (default: ${defaults.rate})
  --seconds N     length of each window of measuring (default: ${defaults.seconds})
  --browsers N    stream clients that stand for browsers in a window of their own (default: ${defaults.browsers})
  --watchers N    watch clients of the API server itself, in the last window (default: ${defaults.watchers})
  --history       instead of all that: the history of sandboxes at that many changes a second, on a file and on PostgreSQL,
                  with its process killed in the middle; a time for each (default: 600 seconds)
  --tasks         instead of all that: what tasks cost beside the client alone, how late their output is, claims warm and
                  cold; and that no sandbox is left of many tasks while the console is killed
  --count N       tasks of that last part (default: ${defaults.tasks})
  --strict        a missed budget is a failure
  --help          this text
`;

const flagTypes = {
  json: { type: 'string' },
  sandboxes: { type: 'string' },
  rate: { type: 'string' },
  seconds: { type: 'string' },
  browsers: { type: 'string' },
  watchers: { type: 'string' },
  history: { type: 'boolean' },
  tasks: { type: 'boolean' },
  count: { type: 'string' },
  strict: { type: 'boolean' },
  help: { type: 'boolean' },
};

function positive(flag, text, most) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number > 0 && number <= most) return number;
  throw new Stop(`--${flag} takes a whole number from 1 to ${most}, not "${text}".`, 'Run it with -- --help.', {
    code: 2,
  });
}

/**
 * What to measure, from the flags.
 * @param {string[]} argv
 * @returns {{ help: boolean, strict: boolean, history: boolean, tasks: boolean, count: number, json?: string,
 *   sandboxes: number, rate: number, seconds: number, browsers: number, watchers: number }}
 */
export function benchOptions(argv) {
  const flags = parseFlags(argv, flagTypes);
  const number = (flag, most) => positive(flag, flags[flag] ?? String(defaults[flag]), most);
  return {
    help: flags.help ?? false,
    strict: flags.strict ?? false,
    history: flags.history ?? false,
    tasks: flags.tasks ?? false,
    count: flags.count === undefined ? defaults.tasks : positive('count', flags.count, 10_000),
    ...(flags.json === undefined ? {} : { json: typedPath(flags.json) }),
    sandboxes: number('sandboxes', 200_000),
    rate: number('rate', 10_000),
    seconds: flags.history && flags.seconds === undefined ? historySeconds : number('seconds', 3600),
    browsers: number('browsers', 5_000),
    watchers: number('watchers', 1_000),
  };
}

/** `npm run bench`. */
export async function bench() {
  const options = benchOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  if (options.json) mkdirSync(dirname(options.json), { recursive: true });
  await ensureInstall();
  const figures = await figuresOf(options);
  const { register } = await import('tsx/esm/api');
  register();
  const { table } = await import('../../bench/figures.ts');
  process.stdout.write(`${table(figures)}\n`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  const missed = figures.filter(({ ok }) => ok === false);
  if (missed.length > 0) say(`Over budget: ${missed.map(({ name }) => name).join('; ')}`);
  return options.strict && missed.length > 0 ? 1 : 0;
}

function figuresOf(options) {
  if (options.history) return ofHistory(options);
  return options.tasks ? ofTasks(options) : ofConsole(options);
}

async function ofTasks({ count }) {
  await ensureBuild();
  const { register } = await import('tsx/esm/api');
  register();
  const { measureTasks } = await import('../../bench/tasks.ts');
  return measureTasks(count);
}

async function ofConsole(options) {
  const { ensureBrowser } = await import('../lib/browser.mjs');
  const browser = await ensureBrowser();
  await ensureBuild();
  const { register } = await import('tsx/esm/api');
  register();
  const { measure } = await import('../../bench/measure.ts');
  return measure(options, browser);
}

/** What records is of the server, whose modules load under the condition `react-server` only: in a process of its own. */
async function ofHistory({ rate, seconds }) {
  const loader = pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href;
  const main = join(root, 'server/bench/history.ts');
  const args = [
    ...followParent,
    '--conditions=react-server',
    '--import',
    loader,
    main,
    JSON.stringify({ rate, seconds }),
  ];
  const child = launch(process.execPath, args, { echo: true });
  let figures;
  child.onLine((line) => {
    if (line.startsWith('[{')) figures = JSON.parse(line);
  });
  await child.exited;
  if (!figures) throw new Stop('The history could not be measured.', child.lastLines(5).join('\n'));
  return figures;
}
