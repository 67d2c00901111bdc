import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followFirstContact } from './first-contact.mjs';

const cluster = { server: 'https://10.0.0.1:6443', context: 'staging', kubeconfig: '/home/ann/config' };
let ready: { kinds: Record<string, string>; reason?: string };
let said: string[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => Response.json(ready, { status: 503 }));
  said = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a server that refuses is named with the reason and what to check, once, and then that it is connected', async () => {
  ready = { kinds: { pods: 'degraded', nodes: 'syncing' }, reason: 'connect ECONNREFUSED 10.0.0.1:6443' };
  const followed = followFirstContact('http://console', cluster);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(said).toEqual([
    'Warning: the API server https://10.0.0.1:6443 (context staging) cannot be used: connect ECONNREFUSED 10.0.0.1:6443\n',
    '  Check it: kubectl --kubeconfig /home/ann/config --context staging version\n',
    '  The console keeps trying, and says here when it is connected.\n',
  ]);
  ready = { kinds: { pods: 'syncing', nodes: 'live' } };
  await vi.advanceTimersByTimeAsync(1_000);
  await followed;
  expect(said.at(-1)).toBe('Connected to https://10.0.0.1:6443 (context staging).\n');
});

test('one that is silent is named within ten seconds', async () => {
  ready = { kinds: { pods: 'syncing' } };
  void followFirstContact('http://console', cluster);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(said).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(said[0]).toMatch(/cannot be used: no answer for \d s/);
});

test('of one that answers nothing is said, however long its lists take', async () => {
  ready = { kinds: { pods: 'syncing', sandboxes: 'missing' } };
  await followFirstContact('http://console', cluster);
  expect(said).toEqual([]);
});
