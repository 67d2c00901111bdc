import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cacheDir, root } from './paths.mjs';
import { launch } from './processes.mjs';
import { Stop, withProgress } from './report.mjs';

/** What the console is built from. The embedded cluster and these commands are not part of it. */
const sources = [
  ...['app', 'components', 'lib', 'public', 'server', 'instrumentation.ts', 'proxy.ts'],
  ...['next.config.js', 'postcss.config.mjs', 'tsconfig.json', 'package.json', 'package-lock.json'],
];
const notSources = ['server/bin', 'server/bench', 'server/embedded', 'server/testing'];

const dist = join(root, '.next');
const stamp = join(dist, 'console-build');

/** The self-contained server that the build leaves behind, the same one that the image carries. */
export const builtServer = join(dist, 'standalone/server.js');

function* filesUnder(path) {
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) yield* filesUnder(child);
    else yield child;
  }
}

/**
 * One hash over names and contents of everything the build reads. Tests are left out.
 * @param {string} folder
 * @returns {string}
 */
export function sourcesHash(folder) {
  const hash = createHash('sha256');
  for (const source of sources) {
    const path = join(folder, source);
    if (!existsSync(path)) continue;
    const files = /\.[a-z]+$/.test(source) ? [path] : filesUnder(path);
    for (const file of files) {
      const name = relative(folder, file);
      if (/\.test\.tsx?$|\/fixtures\//.test(name) || notSources.some((other) => name.startsWith(`${other}/`))) continue;
      hash.update(`${name}\0`).update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

/**
 * The reason behind a failed build, as far as its output tells.
 * @param {string[]} lines
 */
export function buildFailure(lines) {
  const text = lines.join('\n');
  if (/ENOSPC|EDQUOT|no space left/i.test(text)) {
    return new Stop('The disk is full: the console could not be built.', `Free about 500 MB where ${root} is.`);
  }
  if (/Another next (build|dev)|Unable to acquire lock/i.test(text)) {
    return new Stop('Another build of this folder is running.', 'Wait until it has ended, then run the command again.');
  }
  return new Stop('The console could not be built.', 'What the build says is above.', { lines: lines.slice(-40) });
}

/** Builds the console unless the last complete build was made from what is in the folder now. */
export async function ensureBuild() {
  const hash = sourcesHash(root);
  if (existsSync(builtServer) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await withProgress('Building the console (next build)', async () => {
    // Until the stamp is back, this is a build that was interrupted.
    rmSync(stamp, { force: true });
    const next = launch(process.execPath, [join(root, 'node_modules/next/dist/bin/next'), 'build'], {
      env: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      log: join(cacheDir, 'build.log'),
    });
    if ((await next.exited) !== 0) throw buildFailure(next.lastLines(200));
    copyAssets();
    writeFileSync(stamp, hash);
  });
}

/** Next leaves to the deployment where static files are served from; here the server itself does that. */
function copyAssets() {
  const target = join(dist, 'standalone');
  cpSync(join(dist, 'static'), join(target, '.next/static'), { recursive: true });
  if (existsSync(join(root, 'public'))) cpSync(join(root, 'public'), join(target, 'public'), { recursive: true });
}
