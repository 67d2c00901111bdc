import { embeddedCommand } from '../lib/embedded.mjs';
import { ensureInstall } from '../lib/install.mjs';
import { typedPath } from '../lib/paths.mjs';
import { launch } from '../lib/processes.mjs';

/** `npm run cluster`: the embedded cluster alone; its own flags are those of server/embedded/main.ts. */
export async function cluster(run) {
  await ensureInstall();
  run.stopCode = 0;
  const args = [...embeddedCommand, ...process.argv.slice(2), '--parent-pid', String(process.pid)];
  // It cuts itself off in time; before, it may have webhooks to take out of another API server.
  return launch(process.execPath, args, { cwd: typedPath('.'), echo: true, graceMs: 6_000 }).exited;
}
