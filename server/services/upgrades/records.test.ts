import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { sandbox } from '@/lib/domain/rows.testing';
import { type Adoption, adoptionsOf, saveAdoptions } from '../../history/adoptions';
import { type History, makeHistory } from '../../history/database';
import { rebuiltBefore, recordsOf } from './records';

let dir: string;
let history: History;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'records-'));
  history = makeHistory(dir);
});
afterEach(async () => {
  await history.close();
  rmSync(dir, { recursive: true });
});

const row = (uid: string, over: Partial<SandboxRow>) => sandbox({ uid, name: uid, state: 'Upgrading', ...over });
const adoption = (opUid: string, seen: SandboxRow, at: number, taken?: string): Adoption => ({
  opUid,
  opName: opUid,
  namespace: 'agents',
  sandboxUid: seen.uid,
  sandboxName: seen.name,
  at,
  pods: {},
  record: {
    row: seen,
    at,
    ...(taken === undefined ? {} : { left: { at: at + 1, seen: true, why: 'taken', to: taken } }),
  },
});

describe('rebuiltBefore', () => {
  it('knows a Pod that an earlier operation replaced before it failed, and no other', async () => {
    await saveAdoptions(history, [
      adoption('first', row('new-pod', { op: 'first', stage: 'PostUpgradeFailed' }), 1, 'second'),
      adoption('first', row('old-pod', { op: 'first', stage: 'PreUpgradeFailed' }), 1, 'second'),
      adoption('first', row('later', { op: 'first', stage: 'PostUpgradeFailed' }), 1, 'second'),
      // Its own record is none of an earlier one.
      adoption('second', row('alone', { op: 'second', stage: 'UpgradePodFailed' }), 2),
    ]);
    const adopted = ['new-pod', 'old-pod', 'alone'].map((uid) => row(uid, { op: 'second', stage: 'PreUpgradeFailed' }));
    // Where it failed with its own new Pod, the stage says so.
    adopted.push(row('later', { op: 'second', stage: 'UpgradePodFailed' }));
    expect(await rebuiltBefore(history, 'second', adopted)).toEqual(['new-pod']);
  });
});

describe('recordsOf', () => {
  it('tells rows of those that left, and of those that are there only what their rows lack', async () => {
    const steps = (...all: [string, number][]) => ({ op: 'up', stage: 'UpgradePod', steps: all });
    await saveAdoptions(history, [
      adoption('up', row('left', steps(['UpgradePod', 5])), 1, 'next'),
      adoption('up', row('there', steps(['PreUpgrade', 3], ['UpgradePod', 5])), 1),
      adoption('up', row('same', steps(['UpgradePod', 5])), 1),
      // The journal has not heard yet of what the row shows.
      adoption('up', row('unsure', steps(['UpgradePod', 5])), 1),
    ]);
    const live = [row('there', steps(['UpgradePod', 5])), row('same', steps(['UpgradePod', 5]))];
    const { records, steps: told } = recordsOf(await adoptionsOf(history, 'up'), live);
    expect(records).toMatchObject([{ row: { uid: 'left' }, left: { to: 'next' } }]);
    expect(told).toEqual({
      there: [
        ['PreUpgrade', 3],
        ['UpgradePod', 5],
      ],
    });
  });
});
