import { checks } from '../lib/checks.mjs';
import { parseFlags } from '../lib/flags.mjs';
import { ensureInstall } from '../lib/install.mjs';
import { Stop } from '../lib/report.mjs';
import { summary } from '../lib/results.mjs';

const names = Object.keys(checks);

const help = `Usage: npm test [-- FLAGS]

Installs what is missing, a browser included, and runs every check. The last line is "N passed, N failed".

  --only LIST   some of the checks, separated by commas: ${names.join(',')}
  --help        this text
`;

/**
 * The checks to run, in their own order.
 * @param {string | undefined} only
 */
export function chosenChecks(only) {
  if (only === undefined) return names;
  const wanted = only.split(',');
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length === 0) return names.filter((name) => wanted.includes(name));
  throw new Stop(`There is no check "${unknown.join(', ')}".`, `Choose from: ${names.join(', ')}`, { code: 2 });
}

/** `npm test`. */
export async function test() {
  const flags = parseFlags(process.argv.slice(2), { only: { type: 'string' }, help: { type: 'boolean' } });
  if (flags.help) {
    process.stdout.write(help);
    return 0;
  }
  const chosen = chosenChecks(flags.only);
  await ensureInstall();
  const results = [];
  for (const name of chosen) {
    process.stdout.write(`\n── ${name}\n`);
    results.push(await checks[name]());
  }
  const { failed, text } = summary(results);
  process.stdout.write(`${text}\n`);
  return failed === 0 ? 0 : 1;
}
