import { describe, expect, it } from 'vitest';
import { ago, now, sandbox, upgrade } from '../rows.testing';
import { sandboxStage, stageCells } from './stages';
import { type UpgradePhase, upgradeView } from './view';

const view = (op: ReturnType<typeof upgrade>, ops = [op]) => upgradeView(op, ops, [], now);

describe('phase', () => {
  it.each<[string, Parameters<typeof upgrade>[0], UpgradePhase]>([
    ['no phase, no finalizer', { phase: '', taken: false }, 'NotTaken'],
    ['no phase, taken', { phase: '' }, 'Pending'],
    ['running', { total: 4, updating: 1 }, 'Updating'],
    ['paused by spec, some still finishing', { total: 4, updating: 2, paused: true }, 'PausedBySpec'],
    ['failures fill the budget', { total: 10, updated: 3, failed: 1, updating: 0, maxUnavailable: 1 }, 'Deadlocked'],
    ['failures fill the budget, paused too', { total: 10, updated: 3, failed: 1, paused: true }, 'Deadlocked'],
    ['failures, one still running', { total: 10, failed: 1, updating: 1, maxUnavailable: 2 }, 'Updating'],
    ['a slot is left', { total: 40, failed: 3, updated: 2, maxUnavailable: '10%' }, 'Updating'],
    ['nothing is left to start', { total: 4, updated: 3, failed: 1 }, 'Updating'],
    ['done', { phase: 'Completed', total: 4, updated: 4 }, 'Completed'],
    ['over with failures', { phase: 'Failed', total: 4, failed: 4 }, 'Failed'],
    ['being deleted', { deleting: now }, 'Deleting'],
    ['being deleted while it works', { deleting: now, total: 4, updating: 1 }, 'Deleting'],
    ['a newer phase', { phase: 'RollingBack' }, 'Other'],
  ])('%s', (_, fields, phase) => {
    expect(view(upgrade(fields)).phase).toBe(phase);
  });

  it('waits for the one that holds the namespace', () => {
    const holder = upgrade({ name: 'first', created: ago(60) });
    const waiting = upgrade({ name: 'second', phase: '', taken: false });
    expect(view(waiting, [waiting, holder])).toMatchObject({
      phase: 'WaitingForOther',
      holder: { name: 'first', since: ago(60) },
      active: ['second', 'first'],
    });
    expect(view(holder, [waiting, holder]).phase).toBe('Updating');
    expect(view({ ...waiting, deleting: now }, [waiting, holder]).phase).toBe('DeletingWaits');
  });
});

describe('stages', () => {
  it.each([
    ['Resuming', 'Resuming', false],
    ['ResumeSucceed', 'Resuming', false],
    ['PreUpgradeFailed', 'PreUpgrade', true],
    ['Checkpointing', 'Checkpoint', false],
    ['CheckpointFailed', 'Checkpoint', true],
    ['UpgradePod', 'UpgradePod', false],
    ['PostUpgradeFailed', 'PostUpgrade', true],
  ])('%s is column %s', (reason, stage, failed) => {
    expect(sandboxStage(sandbox({ state: 'Upgrading', stage: reason }))).toEqual({ stage, failed });
  });

  it('knows done from not begun, and keeps an unknown reason out of the columns', () => {
    expect(sandboxStage(sandbox({ op: 'up', upgraded: true }))).toEqual({ stage: 'Done', failed: false });
    // Just adopted: what is Succeeded is the upgrade before this one.
    const adopted = sandbox({ op: 'up', upgraded: true, policy: 'Recreate', gen: 5, obs: 4 });
    expect(sandboxStage(adopted)).toEqual({ failed: false });
    // Its user pauses it later.
    const pausing = sandbox({ op: 'up', upgraded: true, state: 'Pausing', paused: true, gen: 6, obs: 5 });
    expect(sandboxStage(pausing)).toEqual({ stage: 'Done', failed: false });
    expect(sandboxStage(sandbox({ op: 'up' }))).toEqual({ failed: false });
    expect(sandboxStage(sandbox({ state: 'Upgrading', stage: 'Warming' }))).toEqual({ failed: false });
  });

  it('a failure of before the generation that is not observed yet is none', () => {
    const row = sandbox({ op: 'up', state: 'Upgrading', stage: 'PreUpgradeFailed', gen: 3, obs: 2 });
    expect(sandboxStage(row)).toEqual({ stage: 'PreUpgrade', failed: false, unwritten: true });
    const result = upgradeView(upgrade({ total: 1, updating: 1 }), [], [row], now);
    expect(result).toMatchObject({ failures: [], counted: { updated: 0, updating: 1, failed: 0 } });
  });

  it('a first hook that runs is a stage, although nothing is written of it', () => {
    const row = sandbox({ op: 'up', policy: 'Recreate', gen: 2, obs: 1 });
    expect(sandboxStage(row, { hooks: ['preUpgrade'] })).toEqual({
      stage: 'PreUpgrade',
      failed: false,
      unwritten: true,
    });
    expect(sandboxStage(row, { hooks: ['postUpgrade'] })).toEqual({ failed: false });
    expect(sandboxStage({ ...row, obs: 2 }, { hooks: ['preUpgrade'] })).toEqual({ failed: false });
  });

  it('lists failures first', () => {
    const rows = [
      sandbox({ name: 'a', upgraded: true }),
      sandbox({ name: 'b', state: 'Upgrading', stage: 'UpgradePodFailed' }),
    ];
    const result = upgradeView(upgrade(), [], rows, now);
    expect(result.sandboxes.map(({ row }) => row.name)).toEqual(['b', 'a']);
    expect(result.failures).toEqual([{ stage: 'UpgradePod', count: 1 }]);
  });
});

describe('numbers', () => {
  it('counts what waits and what is free, and never below nothing', () => {
    expect(view(upgrade({ total: 40, updated: 22, failed: 4, updating: 0, maxUnavailable: '10%' }))).toMatchObject({
      limit: 4,
      waiting: 14,
      free: 0,
      phase: 'Deadlocked',
    });
    expect(view(upgrade({ total: 1, updated: 2 })).waiting).toBe(0);
    expect(view(upgrade({ phase: '' }))).toMatchObject({ limit: 1, total: 0, waiting: 0 });
  });

  it('estimates from what is done since it began', () => {
    const result = view(upgrade({ total: 10, updated: 4, updating: 1, created: ago(120) }));
    expect(result).toMatchObject({
      elapsedMs: 120_000,
      perMinute: 2,
      etaMs: 180_000,
      rateFrom: { updated: 4, ms: 120_000 },
    });
    expect(view(upgrade({ total: 10, created: ago(120) })).etaMs).toBeUndefined();
  });

  it('takes the length of a finished one from its last change', () => {
    expect(view(upgrade({ phase: 'Completed', created: ago(500), changedAt: ago(400) })).elapsedMs).toBe(100_000);
    expect(view(upgrade({ phase: 'Completed', created: ago(500) })).elapsedMs).toBeUndefined();
  });
});

it.each([
  [{ phase: '', taken: false, created: ago(11) }, ['NeedsEdit']],
  [{ phase: '', taken: false, created: ago(2) }, []],
  [{ total: 4, created: ago(60) }, ['NothingStarted']],
  [{ total: 4, updating: 2, hasPatch: false }, ['LifecycleOnly']],
  [{ total: 4, updating: 2, changedAt: ago(601) }, ['NoChange']],
  [{ phase: 'Completed', total: 4, hasPatch: false, changedAt: ago(6000) }, []],
])('concerns of %j', (fields, concerns) => {
  expect(view(upgrade(fields)).concerns).toEqual(concerns);
});

it('says that nothing starts while every slot is held up by something that may pass', () => {
  const row = sandbox({ op: 'up', state: 'Upgrading', stage: 'UpgradePod', cause: { code: 'Unschedulable' } });
  const concernsOf = (fields: object) =>
    upgradeView(upgrade({ maxUnavailable: 1, ...fields }), [], [row], now).concerns;
  expect(concernsOf({ total: 3, updating: 1 })).toEqual(['SlotsHeldUp']);
  expect(concernsOf({ total: 3, updating: 1, updated: 2 })).toEqual([]);
  expect(concernsOf({ total: 3, updating: 1, maxUnavailable: 2 })).toEqual([]);
});

describe('the stage matrix', () => {
  const recreate = { strategy: 'Recreate', hooks: ['preUpgrade' as const], hasPatch: true };

  it('shows what was passed, where it failed, and what is still to come', () => {
    expect(stageCells(recreate, { stage: 'UpgradePod', failed: true })).toEqual({
      Resuming: 'skipped',
      PreUpgrade: 'passed',
      Checkpoint: 'skipped',
      UpgradePod: 'failed',
      PostUpgrade: 'skipped',
      Done: 'not-reached',
    });
  });

  it('says nothing of stages before the first one is written', () => {
    expect(stageCells(recreate, { failed: false })).toMatchObject({ PreUpgrade: 'not-reached', Done: 'not-reached' });
  });

  it('a paused sandbox that resumes for its upgrade is in Resuming', () => {
    expect(stageCells(recreate, { stage: 'Resuming', failed: false }).Resuming).toBe('running');
  });

  it('one of hooks only has no Pod replaced', () => {
    const hooks = { strategy: 'Recreate', hooks: ['postUpgrade' as const], hasPatch: false };
    expect(stageCells(hooks, { stage: 'PostUpgrade', failed: false })).toMatchObject({
      UpgradePod: 'skipped',
      PostUpgrade: 'running',
    });
  });

  it('a finished one has passed everything the operation has', () => {
    const all = {
      strategy: 'CheckpointRestore',
      hooks: ['preUpgrade' as const, 'postUpgrade' as const],
      hasPatch: true,
    };
    expect(Object.values(stageCells(all, { stage: 'Done', failed: false })).slice(1)).toEqual(Array(5).fill('passed'));
  });
});
