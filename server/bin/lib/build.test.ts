import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { buildFailure, builtServer, ensureBuild, holdBuild, keepBuild, sourcesHash } from './build.mjs';

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

/** A build that another process has made and let go of. */
function leftBuild(name: string): string {
  write(`builds/${name}/server.js`, name);
  return path.join(folder, 'builds', name, 'server.js');
}

function keep(name: string): void {
  write('made/server.js', name);
  keepBuild(path.join(folder, 'builds'), name, path.join(folder, 'made'));
}

const kept = () => readdirSync(path.join(folder, 'builds')).sort();

test('a build that a console runs from stays as it is until that has ended', () => {
  const letGo = holdBuild(leftBuild('first'), process.pid);
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  holdBuild(leftBuild('second'), ended);
  keep('third');
  expect(kept()).toEqual(['first', 'third']);
  expect(readdirSync(path.join(folder, 'builds/first')).sort()).toEqual(['held-by', 'server.js']);
  letGo();
  keep('fourth');
  expect(kept()).toEqual(['fourth', 'third']);
});

test('the same build, made by two at once, does not change under the one that runs from it', () => {
  const server = leftBuild('one');
  write('made/server.js', 'another');
  keepBuild(path.join(folder, 'builds'), 'one', path.join(folder, 'made'));
  expect(readFileSync(server, 'utf8')).toBe('one');
});

/** Ensures a build whose server says which sources it was made from; `edits` are made while each build runs. */
async function ensure(...edits: string[]) {
  let made = 0;
  const make = async () => {
    made += 1;
    write('made/server.js', readFileSync(path.join(folder, 'app/page.tsx'), 'utf8'));
    const edit = edits.shift();
    if (edit) write('app/page.tsx', edit);
    return path.join(folder, 'made');
  };
  await ensureBuild({ folder, kept: path.join(folder, 'builds'), make });
  return { made, built: readFileSync(builtServer(), 'utf8') };
}

test('what is in the folder is built once; a build left by another process is taken', async () => {
  expect(await ensure()).toEqual({ made: 1, built: 'one' });
  expect(await ensure()).toEqual({ made: 0, built: 'one' });
  write('app/page.tsx', 'two');
  leftBuild(sourcesHash(folder));
  expect(await ensure()).toEqual({ made: 0, built: sourcesHash(folder) });
});

test('the build that was ensured stays the one to run, whatever others build before it is started', async () => {
  await ensure();
  const server = builtServer();
  keep('later');
  expect(builtServer()).toBe(server);
  expect(readFileSync(server, 'utf8')).toBe('one');
});

test('a build that was left is held as soon as it is found', async () => {
  leftBuild(sourcesHash(folder));
  await ensure();
  keep('later');
  expect(kept()).toContain(sourcesHash(folder));
});

test('it is let go when the process ends', () => {
  leftBuild(sourcesHash(folder));
  const lib = pathToFileURL(path.resolve('server/bin/lib/build.mjs')).href;
  const options = JSON.stringify({ folder, kept: path.join(folder, 'builds') });
  const script = `const { ensureBuild } = await import('${lib}'); await ensureBuild(${options});`;
  expect(spawnSync(process.execPath, ['--input-type=module', '--eval', script]).status).toBe(0);
  expect(readdirSync(path.join(folder, 'builds', sourcesHash(folder), 'held-by'))).toEqual([]);
});

test('sources that are edited during the build are built again', async () => {
  expect(await ensure('two')).toEqual({ made: 2, built: 'two' });
  expect(await ensure()).toEqual({ made: 0, built: 'two' });
});

test('what is edited without end is run this once, and never taken for a build of what is there', async () => {
  expect(await ensure('two', 'three')).toEqual({ made: 2, built: 'two' });
  expect(await ensure()).toEqual({ made: 1, built: 'three' });
});

test('a failed build says why when its output tells', () => {
  expect(buildFailure(['Error: ENOSPC: no space left on device']).message).toContain('disk is full');
  expect(buildFailure(['Type error: x']).lines).toEqual(['Type error: x']);
});
