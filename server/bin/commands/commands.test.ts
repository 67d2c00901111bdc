import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { splitFlags } from './e2e.mjs';
import { chooseCluster } from './start.mjs';
import { chosenChecks } from './test.mjs';

beforeEach(() => vi.stubEnv('INIT_CWD', '/home/ann'));
afterEach(() => vi.unstubAllEnvs());

test('without flags it is the embedded cluster, in a Pod the cluster of that Pod', () => {
  expect(chooseCluster({}, {}, false)).toEqual({ kind: 'embedded', scenario: 'lively' });
  expect(chooseCluster({}, {}, true)).toEqual({ kind: 'in-cluster' });
});

test('what was asked for wins, in a Pod too', () => {
  expect(chooseCluster({ scenario: 'empty' }, {}, true)).toEqual({ kind: 'embedded', scenario: 'empty' });
  expect(chooseCluster({ kubeconfig: 'kube/config', context: 'a' }, {}, true)).toEqual({
    kind: 'kubeconfig',
    path: path.resolve('/home/ann/kube/config'),
    context: 'a',
  });
});

test('variables stand in for flags that are not given', () => {
  const env = { CONSOLE_KUBECONFIG: '/etc/kube', CONSOLE_CONTEXT: 'b' };
  expect(chooseCluster({}, env, false)).toEqual({ kind: 'kubeconfig', path: '/etc/kube', context: 'b' });
  expect(chooseCluster({ context: 'a' }, env, false)).toMatchObject({ context: 'a' });
});

test('flags that contradict each other are refused', () => {
  expect(() => chooseCluster({ kubeconfig: 'a', scenario: 'empty' }, {}, false)).toThrow('exclude each other');
  expect(() => chooseCluster({ context: 'a' }, {}, false)).toThrow('--context needs a file.');
});

test('checks run in their own order, and unknown ones are refused', () => {
  expect(chosenChecks(undefined)).toEqual(['lint', 'types', 'unit', 'e2e']);
  expect(chosenChecks('unit,lint')).toEqual(['lint', 'unit']);
  expect(() => chosenChecks('unit,browser')).toThrow('There is no check "browser".');
});

test('e2e takes its kubeconfig and leaves the rest to Playwright', () => {
  expect(splitFlags(['a.spec.ts', '--kubeconfig', 'k', '--headed'])).toEqual({
    kubeconfig: '/home/ann/k',
    args: ['a.spec.ts', '--headed'],
  });
  expect(splitFlags(['--kubeconfig=/k'])).toEqual({ kubeconfig: '/k', args: [] });
  expect(splitFlags(['--headed'])).toEqual({ args: ['--headed'] });
});
