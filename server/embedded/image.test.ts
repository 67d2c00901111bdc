import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

it('the image gets an embedded cluster that finds all its files', () => {
  const out = mkdtempSync(path.join(os.tmpdir(), 'image-test-'));
  onTestFinished(() => rmSync(out, { recursive: true }));
  const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const [, build = ''] = /^FROM build AS embedded\nRUN (.+)$/m.exec(dockerfile) ?? [];
  const [, entry = ''] = / embedded\/(\S+\.mjs) --dir /.exec(dockerfile) ?? [];
  execFileSync('sh', ['-e', '-c', build.replaceAll('/out', out)], { cwd: root, stdio: 'ignore' });
  const main = path.join(out, entry);
  expect(execFileSync(process.execPath, [main, '--help'], { cwd: out, encoding: 'utf8' })).toContain('--scenario');
  const python = readdirSync(path.join(import.meta.dirname, 'e2b/runtime/python')).filter((file) =>
    /\.(mjs|py)$/.test(file),
  );
  expect(python.filter((file) => !existsSync(path.join(main, '..', file)))).toEqual([]);
});
