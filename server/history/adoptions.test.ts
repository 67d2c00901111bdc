import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sandbox } from '@/lib/domain/rows.testing';
import {
  type Adoption,
  adoptionsOf,
  adoptionsOfSandboxes,
  lastAdoptions,
  pruneAdoptions,
  recordOf,
  saveAdoptions,
  templatesOf,
} from './adoptions';
import { type History, makeHistory } from './database';

let dir: string;
let history: History;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'adoptions-'));
  history = makeHistory(dir);
});
afterEach(async () => {
  await history.close();
  rmSync(dir, { recursive: true });
});

const template = (hash: string) => ({ hash, text: () => `{"${hash}":1}` });
const adoption = (op: string, sandbox: string, at: number, over: Partial<Adoption> = {}): Adoption => ({
  opUid: op,
  opName: op,
  namespace: 'demo',
  sandboxUid: sandbox,
  sandboxName: sandbox,
  at,
  pods: {},
  ...over,
});
const daysMs = 24 * 3_600_000;

it('does not forget what it knows for one who does not', async () => {
  await saveAdoptions(history, [adoption('up', 'a', 1, { before: template('x'), after: template('y') })]);
  await saveAdoptions(history, [adoption('up', 'a', 2, { pods: { after: { uid: 'p' } } })]);
  expect(await adoptionsOf(history, 'up')).toMatchObject([
    { before: 'x', after: 'y', at: 1, pods: '{"after":{"uid":"p"}}' },
  ]);
});

it('knows the last one of each sandbox that has not left it', async () => {
  const record = (message: string) => ({ row: sandbox({ uid: 'b', name: 'b', message }), at: 1 });
  const left = { at: 9, seen: true, why: 'released' as const };
  const all = [
    ...[adoption('up-1', 'a', 1), adoption('up-3', 'a', 3), adoption('up-2', 'a', 2)],
    adoption('up-1', 'b', 1, { record: record('it said {"left":1}') }),
    ...[adoption('up-1', 'c', 1), adoption('up-2', 'c', 2, { record: { ...record('exit 3'), left } })],
  ];
  await saveAdoptions(history, all);
  const last = await lastAdoptions(history);
  expect(last.map((row) => `${row.sandbox_uid} ${row.op_uid} ${row.at}`).sort()).toEqual(['a up-3 3', 'b up-1 1']);
});

it('forgets a month later what operations did that are gone, and the templates that nothing names any more', async () => {
  await saveAdoptions(history, [
    adoption('old', 'a', 0, { before: template('x'), after: template('y') }),
    adoption('old-alive', 'a', 1),
    adoption('new', 'a', 20 * daysMs, { before: template('y'), after: template('z') }),
  ]);
  await pruneAdoptions(history, 31 * daysMs, new Set(['old-alive']));
  expect(await adoptionsOfSandboxes(history, ['a'])).toMatchObject([{ op_uid: 'new' }, { op_uid: 'old-alive' }]);
  expect([...(await templatesOf(history, ['x', 'y', 'z'])).keys()].sort()).toEqual(['y', 'z']);
});

it('keeps how far a sandbox had come, and reads nothing out of what another version wrote', async () => {
  const row = sandbox({
    uid: 'a',
    name: 'a',
    op: 'up',
    state: 'Upgrading',
    stage: 'PostUpgradeFailed',
    message: 'exit 3',
  });
  const left = { at: 9, seen: true, why: 'taken' as const, to: 'next' };
  await saveAdoptions(history, [adoption('up', 'a', 1, { record: { row, at: 5, left } }), adoption('up', 'b', 1)]);
  await saveAdoptions(history, [adoption('up', 'a', 1)]);
  const [a, b] = await adoptionsOf(history, 'up');
  expect(a && recordOf(a)).toEqual({ row, at: 5, left });
  expect(b && recordOf(b)).toBeUndefined();
  expect(recordOf({ record: '{"row":{"uid":"a"}}' })).toBeUndefined();
});
