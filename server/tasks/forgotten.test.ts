import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeHistory } from '../history/database';
import { taskRecordOf } from './record.testing';
import { TaskStore } from './store';

it('values of variables of an ended task are not left in the bytes of the file', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'history-'));
  // In rows and in pages of its own.
  const values = { SHORT: 'short-value-of-somebody', LONG: 'long-value-of-somebody'.repeat(1_000) };
  const files = () => readdirSync(dir).map((name) => readFileSync(path.join(dir, name), 'latin1'));
  const holds = (text: string) => files().some((bytes) => bytes.includes(text));
  try {
    const before = makeHistory(dir);
    await new TaskStore(before).add(taskRecordOf('task-1'), { files: [], env: values }, 'me');
    await before.close();
    expect([holds('short-value'), holds('long-value')]).toEqual([true, true]);

    const after = makeHistory(dir);
    await new TaskStore(after).save(taskRecordOf('task-1', { state: 'succeeded', exitCode: 0, endedAt: 2_000 }), 'me');
    await after.close();
    expect([holds('short-value'), holds('long-value')]).toEqual([false, false]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
