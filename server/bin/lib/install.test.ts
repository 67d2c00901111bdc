import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { installFailure, missingPackages } from './install.mjs';

let folder: string;

const locked = {
  '': {},
  'node_modules/next': { version: '16.0.0' },
  'node_modules/next/node_modules/postcss': { version: '8.0.0' },
  'node_modules/for-another-platform': { version: '1.0.0', optional: true },
};

/** Writes what npm leaves behind when it has installed these. */
function install(packages: Record<string, { version: string }>): void {
  for (const name of Object.keys(packages)) {
    mkdirSync(path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, name, 'package.json'), '{}');
  }
  writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
}

const complete = {
  'node_modules/next': { version: '16.0.0' },
  'node_modules/next/node_modules/postcss': { version: '8.0.0' },
};

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'install-'));
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
  return () => rmSync(folder, { recursive: true });
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

test('a lock file that cannot be read is named', () => {
  writeFileSync(path.join(folder, 'package-lock.json'), '<<<<<<< HEAD');
  expect(() => missingPackages(folder)).toThrow(/package-lock\.json cannot be read/);
});

test.each([
  ['npm error code ENOSPC', 'The disk is full'],
  ['npm error EACCES: permission denied, mkdir', 'No permission to write'],
  ['npm error network request to https://registry failed, reason: getaddrinfo ENOTFOUND', 'cannot be reached'],
  ['npm error code EUSAGE', 'npm could not install the packages'],
])('%s becomes a sentence', (line, sentence) => {
  expect(installFailure([line]).message).toContain(sentence);
});
