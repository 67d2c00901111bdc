import { existsSync } from 'node:fs';
import { browserTests } from '../lib/checks.mjs';
import { refuseSwallowed } from '../lib/flags.mjs';
import { ensureInstall } from '../lib/install.mjs';
import { missingKubeconfig } from '../lib/kubeconfig.mjs';
import { typedPath } from '../lib/paths.mjs';
import { summary } from '../lib/results.mjs';

const help = `Usage: npm run e2e [-- --kubeconfig FILE] [-- FLAGS OF PLAYWRIGHT]

Browser tests against the built console and the embedded cluster.

  --kubeconfig FILE   against this cluster instead, with the embedded controllers and kubelet running on it;
                      tests that break the cluster on purpose (@fault) or need its webhooks (@webhooks) are left out
  --help              this text

Anything else goes to Playwright, for instance: npm run e2e -- pools.spec.ts --headed
`;

/** Takes `--kubeconfig` out of the flags; the rest is Playwright's. */
export function splitFlags(argv) {
  const rest = [...argv];
  const at = rest.findIndex((flag) => flag === '--kubeconfig' || flag.startsWith('--kubeconfig='));
  if (at < 0) return { args: rest };
  const [flag, next] = rest.splice(at, rest[at].includes('=') ? 1 : 2);
  return { kubeconfig: typedPath(flag.includes('=') ? flag.slice(flag.indexOf('=') + 1) : (next ?? '')), args: rest };
}

/** `npm run e2e`. */
export async function e2e() {
  const argv = process.argv.slice(2);
  if (argv.includes('--help')) {
    process.stdout.write(help);
    return 0;
  }
  refuseSwallowed({ kubeconfig: { type: 'string' } });
  const { kubeconfig, args } = splitFlags(argv);
  if (kubeconfig && !existsSync(kubeconfig)) throw missingKubeconfig(kubeconfig);
  await ensureInstall();
  const { failed, text } = summary([await browserTests({ kubeconfig, args })]);
  process.stdout.write(`${text}\n`);
  return failed === 0 ? 0 : 1;
}
