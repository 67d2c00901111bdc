import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { writeKubeconfig } from './kubeconfig';

it('is its owner’s alone, though a file of before was not, and leaves nothing beside it', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kubeconfig-'));
  const file = path.join(folder, 'kubeconfig');
  writeFileSync(file, 'before');
  chmodSync(file, 0o644);
  writeKubeconfig(file, 'http://127.0.0.1:1');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ 'current-context': 'embedded' });
  expect(readdirSync(folder)).toEqual(['kubeconfig']);
});
