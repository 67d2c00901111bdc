import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { cacheDir, root } from './paths.mjs';
import { launch } from './processes.mjs';
import { Stop, withProgress } from './report.mjs';

/** What the console is built from. The embedded cluster and these commands are not part of it. */
const sources = [
  ...['app', 'components', 'lib', 'public', 'server', 'instrumentation.ts', 'proxy.ts'],
  ...['next.config.js', 'postcss.config.mjs', 'tsconfig.json', 'package.json', 'package-lock.json'],
];
const notSources = ['server/bin', 'server/bench', 'server/embedded', 'server/explain', 'server/testing'];

const dist = join(root, '.next');

/**
 * Every build has a folder of its own, named after the hash of its sources. A console loads parts of itself as they are
 * asked for: what it runs from must not change under it when the sources have, and another one is started.
 */
const builds = join(cacheDir, 'builds');

/** In the environment, because the workers of the browser tests run the build that their parent has ensured. */
const serverVariable = 'BUILT_SERVER';

/** The server of the build that {@link ensureBuild} found, self-contained, the same one that the image carries. */
export function builtServer() {
  const server = process.env[serverVariable];
  if (server) return server;
  throw new Stop('There is no build to run.', 'The browser tests run with: npm run e2e');
}

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

/**
 * Notes that a process runs from a build, which is kept as long as it does. Returns the way to take that back.
 * @param {string} server
 * @param {number} pid
 */
export function holdBuild(server, pid) {
  const mark = join(dirname(server), 'held-by', String(pid));
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, '');
  return () => rmSync(mark, { force: true });
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function isHeld(build) {
  const marks = join(build, 'held-by');
  // A console that was killed could not take its mark back.
  return existsSync(marks) && readdirSync(marks).some((pid) => isAlive(Number(pid)));
}

/** Holds a build until this process ends. False when it is not complete. */
function take(server) {
  if (!existsSync(server)) return false;
  const letGo = holdBuild(server, process.pid);
  // Who removes a build takes its server away before looking at the marks a second time: one of the two sees the other.
  if (!existsSync(server)) {
    letGo();
    return false;
  }
  process.once('exit', letGo);
  process.env[serverVariable] = server;
  return true;
}

/** Removes a build unless something runs from it. */
function removeBuild(build) {
  if (isHeld(build)) return;
  const server = join(build, 'server.js');
  const aside = join(build, 'removed.js');
  // First what tells a complete build, should this be interrupted.
  if (existsSync(server)) renameSync(server, aside);
  if (!isHeld(build)) rmSync(build, { recursive: true, force: true, maxRetries: 3 });
  else if (existsSync(aside)) renameSync(aside, server);
}

/**
 * Puts a complete build beside those that are there, held by this process, and removes the ones that nothing runs from.
 * @param {string} folder
 * @param {string} name
 * @param {string} made
 */
export function keepBuild(folder, name, made) {
  mkdirSync(folder, { recursive: true });
  const kept = join(folder, name);
  // Another process may have made the same one in the meantime, and runs from it.
  if (!existsSync(join(kept, 'server.js'))) {
    holdBuild(join(made, 'server.js'), process.pid);
    rmSync(kept, { recursive: true, force: true });
    renameSync(made, kept);
  }
  for (const other of readdirSync(folder, { withFileTypes: true })) {
    if (other.isDirectory() && other.name !== name) removeBuild(join(folder, other.name));
  }
}

/**
 * Builds the console unless there is a build of what is in the folder now. It is not removed before this process ends.
 * @param {{ folder?: string, kept?: string, make?: () => Promise<string> }} [options]
 *   where the sources are, where builds are kept, what makes one and says where it has put it
 */
export async function ensureBuild({ folder = root, kept = builds, make = nextBuild } = {}) {
  let name = sourcesHash(folder);
  while (!take(join(kept, name, 'server.js'))) name = await build(folder, kept, make);
}

/** Keeps a build under the hash of what it was made from. */
async function build(folder, kept, make) {
  let before = sourcesHash(folder);
  let made = await make();
  let after = sourcesHash(folder);
  if (after !== before) {
    before = after;
    made = await make();
    after = sourcesHash(folder);
  }
  // What is edited all the time is built from a mixture that no hash stands for: good for this once.
  const name = after === before ? after : randomUUID();
  keepBuild(kept, name, made);
  return name;
}

function nextBuild() {
  return withProgress('Building the console (next build)', async () => {
    const next = launch(process.execPath, [join(root, 'node_modules/next/dist/bin/next'), 'build'], {
      env: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      log: join(cacheDir, 'build.log'),
    });
    if ((await next.exited) !== 0) throw buildFailure(next.lastLines(200));
    copyAssets();
    return join(dist, 'standalone');
  });
}

/** Next leaves to the deployment where static files are served from; here the server itself does that. */
function copyAssets() {
  const target = join(dist, 'standalone');
  cpSync(join(dist, 'static'), join(target, '.next/static'), { recursive: true });
  if (existsSync(join(root, 'public'))) cpSync(join(root, 'public'), join(target, 'public'), { recursive: true });
}
