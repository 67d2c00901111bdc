import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chosenContext } from './kubeconfig.mjs';

let file: string;

beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kubeconfig-'));
  file = path.join(folder, 'config');
  writeFileSync(file, 'current-context: staging\ncontexts: [{name: staging}, {name: production}]\n');
  return () => rmSync(folder, { recursive: true });
});

test('the context asked for is used, else the current one', () => {
  expect(chosenContext(file, undefined, parse)).toBe('staging');
  expect(chosenContext(file, 'production', parse)).toBe('production');
});

test('a context that does not exist is refused with those that do', () => {
  expect(() => chosenContext(file, 'prod', parse)).toThrow(
    expect.objectContaining({
      message: `The kubeconfig ${file} has no context "prod".`,
      remedy: expect.stringContaining('staging, production'),
    }),
  );
});

test.each([
  ['contexts: [{name: a}]', 'names no current context'],
  ['', 'names no current context'],
  ['a: b: c', 'cannot be read'],
])('a file with %j is refused', (text, message) => {
  writeFileSync(file, text);
  expect(() => chosenContext(file, undefined, parse)).toThrow(message);
});

test('a file that is not there is named', () => {
  expect(() => chosenContext(`${file}s`, undefined, parse)).toThrow(`There is no kubeconfig at ${file}s.`);
});
