import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, root } from './paths.mjs';
import { launch } from './processes.mjs';
import { Stop, say, withProgress } from './report.mjs';

/**
 * How to start a browser: the variables that e2e/playwright.config.ts reads, and those the browser itself needs.
 * @typedef {{ CHROMIUM_PATH: string, CHROMIUM_SANDBOX: string, LD_LIBRARY_PATH?: string, FONTCONFIG_PATH?: string }} BrowserEnv
 */

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const isRoot = process.getuid?.() === 0;

async function playwright() {
  const { chromium } = await import('@playwright/test');
  return chromium;
}

/** Whether a browser shows a page as the tests will ask it to. */
async function shows(executablePath, env, chromiumSandbox) {
  const chromium = await playwright();
  const options = { executablePath, env: { ...process.env, ...env }, chromiumSandbox, timeout: 30_000 };
  const browser = await chromium.launch({ ...options, args: ['--disable-gpu'] }).catch(() => undefined);
  try {
    const page = await browser?.newPage();
    page?.setDefaultTimeout(30_000);
    await page?.setContent('<p>shown</p>');
    return (await page?.locator('p').boundingBox()) != null;
  } catch {
    return false;
  } finally {
    await browser?.close();
  }
}

/**
 * The environment under which a browser shows a page, or undefined when it does not. Chromium refuses its sandbox to
 * root, and some containers refuse it to everybody; these tests open the console's own pages only.
 * @param {string} path
 * @param {Partial<BrowserEnv>} [env]
 * @returns {Promise<BrowserEnv | undefined>}
 */
async function tried(path, env = {}) {
  if (!existsSync(path)) return undefined;
  for (const sandbox of isRoot ? [false] : [true, false]) {
    if (await shows(path, env, sandbox)) return { CHROMIUM_PATH: path, CHROMIUM_SANDBOX: sandbox ? '1' : '0', ...env };
  }
  return undefined;
}

async function fromPlaywright() {
  return tried((await playwright()).executablePath());
}

async function fromSystem() {
  for (const path of installed) {
    const browser = await tried(path);
    if (browser) return browser;
  }
  return undefined;
}

/** Chromium out of the npm package @sparticuz/chromium (Linux on x64): no download beyond `npm ci`, no root. */
async function fromPackage() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'));
  const folder = join(cacheDir, `chromium-${version}`);
  if (!existsSync(folder)) await withProgress('Unpacking the browser of @sparticuz/chromium', () => unpack(folder));
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') };
  const path = join(folder, 'chromium');
  // The libraries in the package are for systems that lack them; mixed with a complete set they may not fit.
  return (await tried(path, fonts)) ?? tried(path, { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023/lib') });
}

/** The package unpacks into the folder for temporary files, and its libraries only where it believes to be hosted. */
async function unpack(folder) {
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
  const child = launch(process.execPath, ['--eval', script], { env: { TMPDIR: partial, VERCEL: '1' } });
  if ((await child.exited) !== 0) {
    throw new Stop('The browser for tests could not be unpacked.', `Free about 300 MB where ${root} is.`, {
      lines: child.lastLines(5),
    });
  }
  renameSync(partial, folder);
}

async function runQuietly(label, command, args) {
  return withProgress(label, () => launch(command, args).exited);
}

async function fromDownload() {
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  await runQuietly('Downloading the browser of Playwright', process.execPath, [cli, 'install', 'chromium']);
  return fromPlaywright();
}

async function fromApt() {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return undefined;
  await runQuietly('Updating package lists (apt-get update)', 'apt-get', ['update']);
  await runQuietly('Installing a browser (apt-get install chromium)', 'apt-get', ['install', '-y', 'chromium']);
  return fromSystem();
}

/**
 * A browser for tests: the one that is named, one that is there, or one that is fetched; root only as the last try.
 * @returns {Promise<BrowserEnv>}
 */
export async function ensureBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    const browser = await tried(named);
    if (browser) return browser;
    throw new Stop(`CHROMIUM_PATH is ${named}, which does not show a page.`, 'Name a working Chromium, or unset it.');
  }
  for (const from of [fromPlaywright, fromSystem, fromPackage, fromDownload, fromApt]) {
    const browser = await from();
    if (!browser) continue;
    say(`Browser for tests: ${browser.CHROMIUM_PATH}`);
    return browser;
  }
  throw new Stop(
    'No browser for tests was found, and none could be installed.',
    'Install Chromium or Chrome, or name one: CHROMIUM_PATH=/path/to/chromium npm test',
  );
}
