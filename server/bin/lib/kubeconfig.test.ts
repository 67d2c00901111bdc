import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chosenContext, serverOf } from './kubeconfig.mjs';

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
  ['', 'is not a kubeconfig: it is empty.'],
  ['just some words', 'is not a kubeconfig: it has no contexts.'],
  ['kind: List', 'is not a kubeconfig: it has no contexts.'],
])('a file with %j is refused', (text, message) => {
  writeFileSync(file, text);
  expect(() => chosenContext(file, undefined, parse)).toThrow(message);
});

test('a file that is broken YAML is refused without what it holds', () => {
  writeFileSync(file, 'token: secret: c');
  expect(() => chosenContext(file, undefined, parse)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/ is not a kubeconfig: it is no valid YAML \([^\n]*[^:]\)\.$/),
      remedy: expect.stringContaining('kubectl --kubeconfig FILE'),
    }),
  );
});

test('a folder is refused', () => {
  expect(() => chosenContext(path.dirname(file), undefined, parse)).toThrow('cannot be read');
});

test('the address of a context is that of its cluster', () => {
  const clusters = 'clusters: [{name: c, cluster: {server: "https://10.0.0.1:6443"}}]';
  writeFileSync(file, `contexts: [{name: a, context: {cluster: c}}, {name: b}]\n${clusters}\n`);
  expect(serverOf(file, 'a', parse)).toBe('https://10.0.0.1:6443');
  expect(serverOf(file, 'b', parse)).toBeUndefined();
});

test('a file that is not there is named', () => {
  expect(() => chosenContext(`${file}s`, undefined, parse)).toThrow(`There is no kubeconfig at ${file}s.`);
});
