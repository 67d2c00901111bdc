import { describe, expect, it } from 'vitest';
import { type DisplayState, displayStates, type SandboxRow, type UpgradeRow } from '@/lib/contracts/rows';
import type { SandboxAction } from '@/lib/contracts/sandbox-writes';
import { sandbox } from './rows.testing';
import { type ActionScene, actionOfStep, permissionFor, sandboxActions, sceneOfRow } from './sandbox-actions';

const scene = (state: DisplayState, over: Partial<ActionScene> = {}): ActionScene => ({
  state,
  phase: state,
  paused: state === 'Paused' || state === 'Pausing',
  idle: state === 'Available',
  ...over,
});

const said = (action: SandboxAction, of: ActionScene) => {
  const permission = permissionFor(action, of);
  if (permission.state === 'allowed') return 'yes';
  return permission.state === 'already' ? 'already' : permission.why;
};

/** Written by hand from the domain reference 4.1–4.8 and the recordings. `yes`: allowed. */
const table: Record<DisplayState, Record<SandboxAction, string>> = {
  Creating: row('yes', 'creating', 'already', 'yes', 'yes', 'yes', 'notDeleting'),
  Available: row('ofPool', 'ofPool', 'already', 'podIsLife', 'ofPool', 'yes', 'notDeleting'),
  Running: row('yes', 'yes', 'already', 'podIsLife', 'inPlace', 'yes', 'notDeleting'),
  NotReady: row('yes', 'yes', 'already', 'podIsLife', 'inPlace', 'yes', 'notDeleting'),
  Initialising: row('yes', 'yes', 'already', 'podIsLife', 'inPlace', 'yes', 'notDeleting'),
  Pausing: row('yes', 'already', 'yes', 'pausing', 'yes', 'yes', 'notDeleting'),
  Paused: row('yes', 'already', 'yes', 'noPod', 'yes', 'yes', 'notDeleting'),
  Resuming: row('yes', 'resuming', 'already', 'yes', 'yes', 'yes', 'notDeleting'),
  Upgrading: row('yes', 'upgrading', 'already', 'upgrading', 'upgrading', 'yes', 'notDeleting'),
  Recycling: row('yes', 'recycling', 'already', 'recycling', 'recycling', 'yes', 'notDeleting'),
  Succeeded: row('ended', 'ended', 'ended', 'ended', 'ended', 'yes', 'notDeleting'),
  Failed: row('ended', 'ended', 'ended', 'ended', 'ended', 'yes', 'notDeleting'),
  Terminating: row('deleting', 'deleting', 'deleting', 'deleting', 'deleting', 'already', 'yes'),
  Other: row('yes', 'otherPhase', 'already', 'otherPhase', 'otherPhase', 'yes', 'notDeleting'),
};

function row(...cells: [string, string, string, string, string, string, string]): Record<SandboxAction, string> {
  return Object.fromEntries(sandboxActions.map((action, i) => [action, cells[i]])) as Record<SandboxAction, string>;
}

describe('permissionFor', () => {
  it.each(displayStates)('is as the controller does it in %s', (state) => {
    const found = Object.fromEntries(sandboxActions.map((action) => [action, said(action, scene(state))]));
    expect(found).toEqual(table[state]);
  });

  it('keeps its hands off what an operation has taken up', () => {
    const held = { operation: 'up-1' };
    expect(permissionFor('pauseSandbox', scene('Running', held))).toEqual({
      state: 'refused',
      why: 'operation',
      of: 'up-1',
    });
    expect(said('resumeSandbox', scene('Paused', held))).toBe('operation');
    expect(said('changeImages', scene('Paused', held))).toBe('operation');
    expect(said('resumeSandbox', scene('Upgrading', { ...held, paused: true }))).toBe('upgrading');
    expect(said('deleteSandbox', scene('Running', held))).toBe('yes');
    expect(said('setDeadline', scene('Running', held))).toBe('yes');
  });

  it('frees one that hangs inside the resume of an upgrade, and no other stage (T2)', () => {
    for (const [stage, pod, images] of [
      ['Resuming', 'yes', 'yes'],
      ['UpgradePod', 'yes', 'upgrading'],
      ['UpgradePodFailed', 'yes', 'upgrading'],
      ['PreUpgradeFailed', 'upgrading', 'upgrading'],
    ] as const) {
      const at = scene('Upgrading', { stage, operation: 'up-1' });
      expect([said('deletePod', at), said('changeImages', at)]).toEqual([pod, images]);
    }
  });

  it('knows what only the whole object tells', () => {
    expect(permissionFor('changeImages', scene('Resuming', { templateRef: 'shared' }))).toEqual({
      state: 'refused',
      why: 'templateRef',
      of: 'shared',
    });
    expect(said('changeImages', scene('Creating', { noTemplate: true }))).toBe('noTemplate');
    expect(said('deletePod', scene('Resuming', { pod: false }))).toBe('noPod');
    expect(said('removeFinalizer', scene('Terminating', { finalizers: [] }))).toBe('already');
    expect(said('removeFinalizer', scene('Terminating', { finalizers: ['a/b'] }))).toBe('yes');
  });

  it('does not extend a failed one that is kept for debugging: nothing removes it', () => {
    const kept = sandbox({ state: 'Failed', claimed: true, reserved: true });
    expect(
      said(
        'setDeadline',
        sceneOfRow(kept, () => undefined),
      ),
    ).toBe('ended');
  });

  it('resumes a member of a pool that somebody paused', () => {
    expect(said('resumeSandbox', scene('Paused', { idle: true }))).toBe('yes');
    expect(said('pauseSandbox', scene('NotReady', { idle: true }))).toBe('ofPool');
  });
});

it('takes from a row the operation that is still at work on it', () => {
  const row: SandboxRow = {
    uid: 'u',
    ns: 'lab',
    name: 'a',
    phase: 'Running',
    state: 'Running',
    sinceFrom: 'unknown',
    op: 'up',
  };
  const op = (phase: string) => () => ({ name: 'up', phase }) as UpgradeRow;
  expect(sceneOfRow(row, op('Updating')).operation).toBe('up');
  expect(sceneOfRow({ ...row, upgraded: true }, op('Updating')).operation).toBeUndefined();
  expect(sceneOfRow(row, op('Completed')).operation).toBeUndefined();
  expect(sceneOfRow(row, () => undefined).operation).toBeUndefined();
});

it('leads from the step of a verdict to what does it', () => {
  expect(actionOfStep('RetagThenReplacePod')).toBe('changeImages');
  expect(actionOfStep('RetagPool')).toBe('retagPool');
  expect(actionOfStep('CheckNode')).toBeUndefined();
});
