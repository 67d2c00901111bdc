import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { connectUrl } from '../../controllers/connect';
import type { Result } from '../result';
import { lines, rowsUntil, table } from './expectations';
import { runDocuments, transcripts } from './index';
import { type Step, typeTranscript } from './transcript';

const none = new Map<string, string>();
const folders: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Types steps at a kubectl that is a shell script; its first two words are always `-n NAMESPACE`. */
async function typed(script: string, steps: Step[], webhooks = true): Promise<Result[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kubectl-'));
  folders.push(folder);
  writeFileSync(path.join(folder, 'kubectl'), `#!/bin/sh\nshift 2\ncd ${folder}\n${script}\n`);
  chmodSync(path.join(folder, 'kubectl'), 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  const results: Result[] = [];
  const target = { kubeconfig: 'none', cache: folder };
  await typeTranscript({ name: 'one', steps }, target, 'ns', webhooks, (result) => results.push(result));
  return results;
}

it('looks at lines and exit code; after a command that fails the others are skipped', async () => {
  const results = await typed('echo "$1"; [ "$1" = good ] || { echo "no: $1" >&2; exit 1; }', [
    { line: 'good', expect: 'good' },
    { line: 'bad', expect: 'bad', refused: /^no: bad\n$/ },
    { line: 'webhook', ofWebhooks: true },
    { line: 'good', expect: 'better', refused: /no/ },
    { line: 'good' },
  ]);
  expect(results.map(({ outcome, details }) => [outcome, ...details])).toEqual([
    ['passed'],
    ['passed'],
    ['failed', 'exit code 1, expected 0', 'no: webhook'],
    ['skipped', 'after kubectl webhook'],
    ['skipped', 'after kubectl webhook'],
  ]);
  const without = await typed(
    'echo "$1"',
    [
      { line: 'refused', ofWebhooks: true },
      { line: 'good', expect: 'better' },
    ],
    false,
  );
  expect(without.map(({ outcome, details }) => [outcome, ...details])).toEqual([
    ['skipped', 'there are no webhooks here'],
    ['failed', 'expected ["better"]', 'got ["good"]'],
  ]);
});

it('types again until it is so, ends what would run for ever, and hands on what was printed', async () => {
  const results = await typed(
    'case $1 in count) echo x >> n; wc -l < n;; forever) echo 1; echo 2; exec sleep 60;; in) cat;; *) echo "$1";; esac',
    [
      { line: 'count', expect: '3', eventually: true, keep: 'number' },
      { line: "'say $number'", expect: 'say $number' },
      { line: 'in', stdin: 'number', expect: '3' },
      { line: 'forever', ...rowsUntil([2], 'above 0', ([value = 0]) => value > 0) },
    ],
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed', 'passed']);
});

it('finds the cells of a table by its head', () => {
  const printed = 'NAME   STATUS   AGE\ncp-1            18s\n';
  expect(table('NAME STATUS AGE', ['cp-1', '', /s$/])(printed, none)).toEqual([]);
  expect(table('NAME AGE', ['cp-1', '18s'])(printed, none)[0]).toBe('columns NAME   STATUS   AGE, expected NAME AGE');
  expect(table('NAME STATUS AGE', ['cp-2', '', '18s'])(printed, none)).toEqual([
    'row ["cp-1","","18s"], expected ["cp-2","","18s"]',
  ]);
  expect(table('NAME STATUS AGE')(printed, none)).toEqual(['1 rows, expected 0']);
  expect(lines('a', /b/)('a\nc\n', none)).toEqual(['expected ["a",/b/]', 'got ["a","c"]']);
});

it('looks at every row of a watch', () => {
  const { expect: look, until } = rowsUntil([2, 2], 'one may be missing', ([all = 0, ready = 0]) => all - ready <= 1);
  expect(until('2 <none>\n2 2')).toBe(false);
  expect(look('2 1\n2 2\n', none)).toEqual([]);
  expect(look('2 <none>\n2 1\n', none)).toEqual(['not so in 2 0: one may be missing', 'ended with 2 1, not 2 2']);
});

it('has a manifest for every file that is named, and names every manifest', () => {
  const named = transcripts.flatMap(({ steps }) => steps.flatMap(({ line }) => line.match(/(?<= @)\S+/g) ?? []));
  const there = readdirSync(new URL('manifests/', import.meta.url));
  expect([...new Set(named)].sort()).toEqual(there.sort());
});

it('is skipped, and says so, where there is no kubectl', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  const results: Result[] = [];
  const options = { cluster: { kubeconfig: 'none' }, webhooks: true };
  await runDocuments(connectUrl('http://127.0.0.1:1'), options, (result) => results.push(result));
  expect(results.map(({ group, outcome, details }) => [group, outcome, ...details])).toEqual(
    transcripts.map(({ name }) => [name, 'skipped', 'There is no kubectl on the PATH.']),
  );
});
