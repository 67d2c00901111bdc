import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { buildFailure, sourcesHash } from './build.mjs';

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

test('a failed build says why when its output tells', () => {
  expect(buildFailure(['Error: ENOSPC: no space left on device']).message).toContain('disk is full');
  expect(buildFailure(['Type error: x']).lines).toEqual(['Type error: x']);
});
