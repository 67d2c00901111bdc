import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { ensureInstall, installFailure, missingPackages, repair } from './install.mjs';

let folder: string;

const locked = {
  '': {},
  'node_modules/next': { version: '16.0.0' },
  'node_modules/next/node_modules/postcss': { version: '8.0.0' },
  'node_modules/for-another-platform': { version: '1.0.0', optional: true },
};

function unpack(name: string, version: string): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, 'package.json'), JSON.stringify({ version }));
}

/** Writes what npm leaves behind when it has installed these. */
function install(packages: Record<string, { version: string }>): void {
  for (const [name, { version }] of Object.entries(packages)) unpack(name, version);
  writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
}

const complete = {
  'node_modules/next': { version: '16.0.0' },
  'node_modules/next/node_modules/postcss': { version: '8.0.0' },
};

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'install-'));
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
  return () => {
    rmSync(folder, { recursive: true });
    vi.unstubAllEnvs();
  };
});

test('nothing is installed in a fresh clone; what is optional need not be', () => {
  expect(missingPackages(folder)).toEqual(Object.keys(complete));
});

test('a complete install misses nothing', () => {
  install(complete);
  expect(missingPackages(folder)).toEqual([]);
});

test('an install that was interrupted counts as none: npm writes its own lock file last', () => {
  install(complete);
  rmSync(path.join(folder, 'node_modules/.package-lock.json'));
  expect(missingPackages(folder)).toHaveLength(2);
});

test('a package that was deleted, or is of another version, is missing', () => {
  install({ ...complete, 'node_modules/next': { version: '15.0.0' } });
  rmSync(path.join(folder, 'node_modules/next/node_modules/postcss'), { recursive: true });
  expect(missingPackages(folder)).toEqual(Object.keys(complete));
});

test('what is missing is added to what is there; what is broken is taken away first', async () => {
  install(complete);
  const broken = 'node_modules/next/node_modules/postcss';
  writeFileSync(path.join(folder, broken, 'package.json'), '');
  await repair(folder, [broken], async () => {
    expect(existsSync(path.join(folder, broken))).toBe(false);
    expect(existsSync(path.join(folder, 'node_modules/next/package.json'))).toBe(true);
    install(complete);
  });
  expect(missingPackages(folder)).toEqual([]);
});

test('when that fails nothing more is missing than before, half of a package included', async () => {
  install(complete);
  const gone = 'node_modules/next/node_modules/postcss';
  rmSync(path.join(folder, gone), { recursive: true });
  const failing = repair(folder, [gone], async () => {
    mkdirSync(path.join(folder, gone));
    writeFileSync(path.join(folder, gone, 'package.json'), '{}');
    throw new Error('no network');
  });
  await expect(failing).rejects.toThrow('no network');
  expect(missingPackages(folder)).toEqual([gone]);
});

test('when that fails, what is there at another version stays, unless half of the new one took its place', async () => {
  install({
    'node_modules/next': { version: '15.0.0' },
    'node_modules/next/node_modules/postcss': { version: '7.0.0' },
  });
  const fail = (half?: () => void) =>
    repair(folder, missingPackages(folder), async () => {
      half?.();
      throw new Error('no network');
    });
  await expect(fail()).rejects.toThrow('no network');
  const versionOf = (name: string) => JSON.parse(readFileSync(path.join(folder, name, 'package.json'), 'utf8')).version;
  expect(Object.keys(complete).map(versionOf)).toEqual(['15.0.0', '7.0.0']);

  const replaced = 'node_modules/next/node_modules/postcss';
  await expect(fail(() => unpack(replaced, '8.0.0'))).rejects.toThrow('no network');
  expect(versionOf('node_modules/next')).toBe('15.0.0');
  expect(existsSync(path.join(folder, replaced))).toBe(false);
});

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('after an install that was killed, node_modules is not emptied while the registry cannot be reached', async () => {
  install(complete);
  rmSync(path.join(folder, 'node_modules/.package-lock.json'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ dependencies: { next: '16.0.0' } }));
  const lock = { lockfileVersion: 3, packages: { ...locked, '': { dependencies: { next: '16.0.0' } } } };
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${await closedPort()}/`);
  vi.stubEnv('npm_config_cache', path.join(folder, 'cache'));
  await expect(ensureInstall(folder)).rejects.toThrow('registry cannot be reached');
  expect(existsSync(path.join(folder, 'node_modules/next/package.json'))).toBe(true);
});

test('a lock file that cannot be read is named', () => {
  writeFileSync(path.join(folder, 'package-lock.json'), '<<<<<<< HEAD');
  expect(() => missingPackages(folder)).toThrow(/package-lock\.json cannot be read/);
});

test.each([
  ['npm error code ENOSPC', 'The disk is full'],
  ['npm error EACCES: permission denied, mkdir', 'No permission to write'],
  ['npm error network request to https://registry failed, reason: getaddrinfo ENOTFOUND', 'cannot be reached'],
  ['npm error network timeout at: https://registry/-/ping', 'cannot be reached'],
  ['npm error code EUSAGE', 'npm could not install the packages'],
])('%s becomes a sentence', (line, sentence) => {
  expect(installFailure([line]).message).toContain(sentence);
});
