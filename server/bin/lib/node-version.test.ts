import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nodeIsRecent } from './node-version.mjs';
import { root } from './paths.mjs';

test('versions are compared as numbers, part by part', () => {
  const recent = ['20.19.0', '20.19.1', '20.20.0', '22.0.0', '100.0.0'];
  const old = ['20.18.9', '20.9.0', '18.20.4', '8.0.0', '0.10.0'];
  expect(recent.filter(nodeIsRecent)).toEqual(recent);
  expect(old.filter(nodeIsRecent)).toEqual([]);
});

test('the version asked for is the one in package.json', () => {
  const { engines } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  const least = engines.node.replace('>=', '');
  expect(nodeIsRecent(least)).toBe(true);
  expect(nodeIsRecent(least.replace(/\d+\.\d+$/, '0.0'))).toBe(false);
});
