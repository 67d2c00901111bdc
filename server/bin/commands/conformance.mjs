import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseFlags } from '../lib/flags.mjs';
import { ensureInstall } from '../lib/install.mjs';
import { chosenContext } from '../lib/kubeconfig.mjs';
import { typedPath } from '../lib/paths.mjs';
import { atStop } from '../lib/processes.mjs';
import { Stop } from '../lib/report.mjs';

const help = `Usage: npm run conformance [-- FLAGS]

Is the embedded cluster true? Sends it requests whose answers are known from kube-apiserver, and drives the steps of
recordings on it; prints what differs. With --kubeconfig the same is asked of another API server, with the embedded
controllers and simulated nodes running there: it makes and deletes namespaces, nodes, kinds and roles.

  --kubeconfig FILE  the cluster to ask instead of the embedded one
  --context NAME     a context of that file other than its current one
  --yes              also when that cluster is not on this machine; without the webhooks, which it could not call
  --recording FILE   only this recording of a scenario, or only these recorded requests
  --only SUITE       api: requests and answers; recordings: scenarios; documents: what the user documents type at kubectl;
                     fuzz: random requests to the embedded server, which runs only when it is named. What needs a kubectl
                     on the PATH (documents; in api what it prints and explains) is skipped without one
  --requests N       how many requests the fuzz sends (default: 100000)
  --seed N           which ones: the same seed makes the same requests (default: 1)
  --json FILE        every result as JSON: a list of {suite, group, name, outcome, details}
  --record           writes the answers of --kubeconfig down as the ones that are right
  --help             this text
`;

const flagTypes = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  yes: { type: 'boolean' },
  recording: { type: 'string' },
  only: { type: 'string' },
  requests: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'string' },
  record: { type: 'boolean' },
  help: { type: 'boolean' },
};

/**
 * What to check, from the flags.
 * @param {string[]} argv
 */
export function conformanceOptions(argv) {
  const flags = parseFlags(argv, flagTypes);
  if (flags.only !== undefined && !['api', 'recordings', 'documents', 'fuzz'].includes(flags.only)) {
    throw new Stop(`--only takes api, recordings, documents or fuzz, not "${flags.only}".`, 'Run it with -- --help.', {
      code: 2,
    });
  }
  if (flags.only === 'fuzz' && flags.kubeconfig !== undefined) {
    throw new Stop('--only fuzz asks the embedded server alone.', 'Leave --kubeconfig out.', { code: 2 });
  }
  const numbers = ['requests', 'seed'].filter((name) => flags[name] !== undefined);
  for (const name of numbers) {
    if (/^\d{1,7}$/.test(flags[name])) continue;
    throw new Stop(`--${name} takes a whole number up to 9999999, not "${flags[name]}".`, 'Run it with -- --help.', {
      code: 2,
    });
  }
  if (flags.record && flags.kubeconfig === undefined) {
    throw new Stop('--record needs --kubeconfig.', 'Only a real API server can say what is right.', { code: 2 });
  }
  const paths = ['kubeconfig', 'recording', 'json'].filter((name) => flags[name] !== undefined);
  return {
    ...flags,
    ...Object.fromEntries(numbers.map((name) => [name, Number(flags[name])])),
    ...Object.fromEntries(paths.map((name) => [name, typedPath(flags[name])])),
  };
}

/** `npm run conformance`. */
export async function conformance() {
  const options = conformanceOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  if (options.json) mkdirSync(dirname(options.json), { recursive: true });
  await ensureInstall();
  if (options.kubeconfig) {
    const { parse } = await import('yaml');
    chosenContext(options.kubeconfig, options.context, parse);
  }
  const { register } = await import('tsx/esm/api');
  register();
  const { NotLocal, runConformance } = await import('../../embedded/conformance/run.ts');
  const { UnusableFile } = await import('../../embedded/conformance/json-lines.ts');
  const results = await runConformance(options, (line) => process.stdout.write(`${line}\n`), atStop).catch((error) => {
    if (error instanceof UnusableFile)
      throw new Stop(`${error.message}.`, '--recording takes a scenario or recorded requests, one JSON a line.', {
        code: 2,
      });
    if (!(error instanceof NotLocal)) throw error;
    throw new Stop(error.message, 'Add --yes if that cluster may be used so.', { code: 2 });
  });
  if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
  return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}
