import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../../server/bin/lib/paths.mjs';

const run = promisify(execFile);

/** Whether this machine has kubectl. */
export const hasKubectl: boolean = await run('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
);

/** Runs kubectl and gives what it prints. It caches discovery in its home, which here is not the person's. */
export async function kubectl(kubeconfig: string, args: string[]): Promise<string> {
  const home = path.join(cacheDir, 'kubectl');
  mkdirSync(home, { recursive: true });
  const env = { ...process.env, HOME: home, KUBECONFIG: kubeconfig };
  const { stdout } = await run('kubectl', args, { env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
