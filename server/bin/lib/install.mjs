import { existsSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './paths.mjs';
import { launch } from './processes.mjs';
import { Stop, withProgress } from './report.mjs';

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function npmLock(folder) {
  return join(folder, 'node_modules/.package-lock.json');
}

/**
 * Packages of package-lock.json that are absent, or there at another version.
 * The other side of the comparison is npm's own node_modules/.package-lock.json: npm removes it before it changes
 * anything and writes it last, so an install that was interrupted has none, and counts as nothing installed.
 * @param {string} folder where package-lock.json is
 * @returns {string[]} paths as in the lock file, `node_modules/next`
 */
export function missingPackages(folder) {
  const wanted = readJson(join(folder, 'package-lock.json'))?.packages;
  if (!wanted) {
    throw new Stop(
      `${join(folder, 'package-lock.json')} cannot be read.`,
      'Get it back: git checkout package-lock.json',
    );
  }
  const installed = readJson(npmLock(folder))?.packages ?? {};
  return Object.keys(wanted).filter((path) => {
    if (path === '') return false;
    const there = installed[path];
    // What is optional is left out on other platforms.
    if (!there) return !wanted[path].optional;
    return there.version !== wanted[path].version || isEmpty(join(folder, path, 'package.json'));
  });
}

function isEmpty(path) {
  return !statSync(path, { throwIfNoEntry: false })?.size;
}

function isUnreachable(text) {
  return /ENOTFOUND|EAI_AGAIN|ECONN(REFUSED|RESET)|E(NET|HOST)UNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|network timeout/.test(
    text,
  );
}

function diskIsFull(text) {
  return /ENOSPC|EDQUOT|no space left/.test(text);
}

/**
 * The reason behind a failed install, as far as its output tells.
 * @param {string[]} lines
 */
export function installFailure(lines) {
  const text = lines.join('\n');
  const has = (...codes) => codes.some((code) => text.includes(code));
  const registry = process.env.npm_config_registry ?? 'https://registry.npmjs.org/';
  if (diskIsFull(text)) {
    return new Stop(
      'The disk is full: the packages could not be installed.',
      `Free about 1.5 GB where ${root} is (npm's cache counts too: npm cache clean --force), then run the command again.`,
    );
  }
  if (has('EACCES', 'EPERM', 'EROFS')) {
    return new Stop(
      `No permission to write the packages into ${join(root, 'node_modules')} or npm's cache.`,
      'Run it as the owner of this folder, or take it over: sudo chown -R "$(id -u)" . ~/.npm',
      { lines: lines.slice(-8) },
    );
  }
  if (isUnreachable(text)) {
    return new Stop(
      `The npm registry cannot be reached (${registry}).`,
      'Check the network. Behind a proxy: npm config set proxy URL; with a mirror: npm config set registry URL.',
    );
  }
  return new Stop(
    'npm could not install the packages.',
    'What npm says is above; mend that and run the command again.',
    {
      lines: lines.slice(-20),
    },
  );
}

const neededBytes = 1e9;

/** npm takes minutes to find out, so a disk that cannot hold the packages is refused before. */
function requireSpace(folder) {
  if (existsSync(join(folder, 'node_modules'))) return;
  const { bavail, bsize, blocks } = statfsSync(folder);
  const free = bavail * bsize;
  // Some network file systems tell nothing.
  if (blocks === 0 || free >= neededBytes) return;
  throw new Stop(
    `The disk is too full: the packages need 0.9 GB, and ${Math.floor(free / 1e6)} MB are free where ${folder} is.`,
    'Make room there, or move this folder to another disk; then run the command again.',
  );
}

/** npm as the person started it, so that the same one installs; else the one on the PATH. */
function npmCommand() {
  const path = process.env.npm_execpath;
  return path && basename(path) === 'npm-cli.js' ? [process.execPath, [path]] : ['npm', []];
}

function remove(folder, paths) {
  for (const path of paths) rmSync(join(folder, path), { recursive: true, force: true });
}

/**
 * Adds what is missing to a complete install. `npm ci` would begin with emptying node_modules, and turn a small gap into
 * a large one when the registry cannot be reached.
 * @param {string} folder
 * @param {string[]} missing
 * @param {() => Promise<void>} run `npm install`; when it fails, all is as it was before
 */
export async function repair(folder, missing, run) {
  // npm trusts a folder that is there, whatever is left in it.
  const broken = missing.filter((path) => isEmpty(join(folder, path, 'package.json')));
  remove(folder, broken);
  const versionOf = (path) => readJson(join(folder, path, 'package.json'))?.version;
  // There at another version: the commit that wants it still starts when this one cannot be installed.
  const others = missing.filter((path) => !broken.includes(path)).map((path) => [path, versionOf(path)]);
  const lock = npmLock(folder);
  const before = readFileSync(lock);
  // So that this counts as an interrupted install should it not come to its end.
  rmSync(lock);
  try {
    await run();
  } catch (error) {
    // Half of what is new may be there now.
    const replaced = others.filter(([path, version]) => versionOf(path) !== version);
    remove(folder, [...broken, ...replaced.map(([path]) => path)]);
    writeFileSync(lock, before);
    throw error;
  }
}

/**
 * Installs exactly what package-lock.json says when anything of it is missing.
 * @param {string} [folder] where package-lock.json is
 */
export async function ensureInstall(folder = root) {
  const missing = missingPackages(folder);
  if (missing.length === 0) return;
  requireSpace(folder);
  if (existsSync(npmLock(folder))) {
    await repair(folder, missing, () => runNpm(folder, ['install', '--no-save', '--prefer-offline'], missing.length));
  }
  const left = missingPackages(folder);
  if (left.length === 0) return;
  // It begins with emptying node_modules, which may hold all but a few of them.
  if (existsSync(join(folder, 'node_modules'))) await requireRegistry(folder);
  await runNpm(folder, ['ci'], left.length);
}

/** Any answer will do: not every mirror knows this question. */
async function requireRegistry(folder) {
  const [command, args] = npmCommand();
  const flags = ['ping', '--fetch-timeout=5000', '--fetch-retries=1', '--fetch-retry-mintimeout=500'];
  const npm = launch(command, [...args, ...flags], { cwd: folder });
  await npm.exited;
  const lines = npm.lastLines();
  if (isUnreachable(lines.join('\n'))) throw installFailure(lines);
}

async function runNpm(folder, how, count) {
  const [command, args] = npmCommand();
  const flags = [...how, '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  // npm would wait more than a minute before it says that there is no network.
  flags.push('--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000');
  await withProgress(`Installing packages (npm ${how[0]}, ${count} of them missing)`, async () => {
    const npm = launch(command, [...args, ...flags], { cwd: folder });
    npm.onLine((line) => {
      // It would try every other file as well, for minutes.
      if (diskIsFull(line)) npm.stop();
    });
    const code = await npm.exited;
    if (code === 127) {
      throw new Stop('npm was not found.', 'Install Node from https://nodejs.org: npm comes with it.');
    }
    const lines = npm.lastLines(400);
    // When a file cannot be unpacked, npm warns, goes on, and says in the end that all is well.
    if (code === 0 && !lines.some((line) => line.includes('TAR_ENTRY_ERROR'))) return;
    rmSync(npmLock(folder), { force: true });
    throw installFailure(lines);
  });
}
