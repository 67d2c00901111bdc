import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ensureBuild } from '../lib/build.mjs';
import { parseFlags } from '../lib/flags.mjs';
import { ensureInstall } from '../lib/install.mjs';
import { typedPath } from '../lib/paths.mjs';
import { Stop, say } from '../lib/report.mjs';

const defaults = { sandboxes: 10_000, rate: 500, seconds: 20, browsers: 200, watchers: 100 };

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
 * @returns {{ help: boolean, strict: boolean, json?: string,
 *   sandboxes: number, rate: number, seconds: number, browsers: number, watchers: number }}
 */
export function benchOptions(argv) {
  const flags = parseFlags(argv, flagTypes);
  const number = (flag, most) => positive(flag, flags[flag] ?? String(defaults[flag]), most);
  return {
    help: flags.help ?? false,
    strict: flags.strict ?? false,
    ...(flags.json === undefined ? {} : { json: typedPath(flags.json) }),
    sandboxes: number('sandboxes', 200_000),
    rate: number('rate', 10_000),
    seconds: number('seconds', 3600),
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
  const { ensureBrowser } = await import('../lib/browser.mjs');
  const browser = await ensureBrowser();
  await ensureBuild();
  const { register } = await import('tsx/esm/api');
  register();
  const [{ measure }, { table }] = await Promise.all([
    import('../../bench/measure.ts'),
    import('../../bench/figures.ts'),
  ]);
  const figures = await measure(options, browser);
  process.stdout.write(`${table(figures)}\n`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  const missed = figures.filter(({ ok }) => ok === false);
  if (missed.length > 0) say(`Over budget: ${missed.map(({ name }) => name).join('; ')}`);
  return options.strict && missed.length > 0 ? 1 : 0;
}
