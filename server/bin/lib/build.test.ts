import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { buildFailure, holdBuild, keepBuild, sourcesHash } from './build.mjs';

let folder: string;

function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'build-'));
  write('app/page.tsx', 'one');
  write('package-lock.json', '{}');
  return () => rmSync(folder, { recursive: true });
});

test.each([
  ['app/page.tsx', 'two'],
  ['server/kube/kinds.ts', 'new'],
  ['public/favicon.svg', 'new'],
  ['package-lock.json', '{"packages":{}}'],
])('a change of %s asks for a build', (name, text) => {
  const before = sourcesHash(folder);
  expect(sourcesHash(folder)).toBe(before);
  write(name, text);
  expect(sourcesHash(folder)).not.toBe(before);
});

test('a file that was renamed asks for a build', () => {
  const before = sourcesHash(folder);
  renameSync(path.join(folder, 'app/page.tsx'), path.join(folder, 'app/layout.tsx'));
  expect(sourcesHash(folder)).not.toBe(before);
});

test.each([
  'app/page.test.tsx',
  'server/embedded/main.ts',
  'server/bin/start.mjs',
  'server/bench/run.ts',
  'lib/domain/fixtures/a.json',
  'README.md',
])('a change of %s asks for none', (name) => {
  const before = sourcesHash(folder);
  write(name, 'new');
  expect(sourcesHash(folder)).toBe(before);
});

test('a build that a console runs from stays as it is until that has ended', () => {
  const builds = path.join(folder, 'builds');
  const build = (hash: string) => {
    write('made/server.js', hash);
    keepBuild(builds, hash, path.join(folder, 'made'));
    return path.join(builds, hash, 'server.js');
  };
  const first = build('first');
  const letGo = holdBuild(first, process.pid);
  const second = build('second');
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  holdBuild(second, ended);
  expect(readFileSync(first, 'utf8')).toBe('first');
  build('third');
  expect(readdirSync(builds).sort()).toEqual(['first', 'third']);
  letGo();
  build('fourth');
  expect(readdirSync(builds)).toEqual(['fourth']);
});

test('a failed build says why when its output tells', () => {
  expect(buildFailure(['Error: ENOSPC: no space left on device']).message).toContain('disk is full');
  expect(buildFailure(['Type error: x']).lines).toEqual(['Type error: x']);
});
