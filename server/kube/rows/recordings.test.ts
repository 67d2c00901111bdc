import { describe, expect, it } from 'vitest';
import { sandboxRow } from '@/lib/contracts/rows';
import { standardLimits } from '@/lib/domain/limits';
import { dwellOf, severityOf } from '@/lib/domain/severity';
import { causesOf, replay, statesOf } from './replay.testing';

const created = ['Creating', 'Running'];
const paused = ['Pausing', 'Paused'];
const resumed = ['Resuming', 'Initialising', 'Running'];

describe('states that really happened', () => {
  it('pause, resume, pause, delete', () => {
    expect(statesOf('pause-resume-stop')).toEqual({
      solo: [...created, ...paused, ...resumed, ...paused, 'Terminating', 'Gone'],
      'web-t59ds': ['Creating', 'Available', 'Running', ...paused, ...resumed, 'Pausing', 'Terminating', 'Gone'],
      'web-4kwwh': ['Creating', 'Gone'],
    });
  });

  it('un-paused while pausing, paused while resuming', () => {
    expect(statesOf('pause-while-resuming')).toEqual({
      solo: [...created, ...paused, ...resumed, ...paused, 'Resuming', ...paused],
    });
  });

  it('a resume that hangs on a digest-pinned init container, and one with a tag', () => {
    const states = [...created, ...paused, ...resumed];
    expect(statesOf('resume-stuck-digest-init-container')).toEqual({ pinned: states, tagged: states });
  });

  it('an update, one sandbox after the other', () => {
    const states = statesOf('update-recreate-success');
    const updated = Object.values(states).filter((list) => list.includes('Upgrading/UpgradePod'));
    expect(updated).toHaveLength(4);
    for (const list of updated) {
      expect(list.slice(0, 5)).toEqual(['Creating', 'Available', 'Running', 'Upgrading/UpgradePod', 'Running']);
    }
  });

  it('a failing hook, then a retry without it', () => {
    const states = [...created, 'Upgrading/PreUpgradeFailed', 'Upgrading/UpgradePod', 'Running'];
    expect(statesOf('update-pre-upgrade-hook-fails')).toEqual({ 'box-1': states, 'box-2': states });
  });

  it('hooks that time out or are not reached', () => {
    const states = [...created, 'Upgrading/PreUpgradeFailed'];
    expect(statesOf('hook-timeout-and-unreachable')).toEqual({ 'box-1': states, 'box-2': states, 'box-3': states });
  });

  it('a new image that cannot be pulled', () => {
    const states = [...created, 'Upgrading/UpgradePod', 'Upgrading/UpgradePodFailed'];
    expect(statesOf('update-deadlock-failures')).toEqual({
      'box-1': states,
      'box-2': states,
      'box-3': states,
      'box-4': states,
    });
  });

  it('a paused sandbox that hangs in the first stage of its update', () => {
    expect(statesOf('paused-update-stuck-digest')).toEqual({ pinned: [...created, ...paused, 'Upgrading/Resuming'] });
  });

  it('a checkpoint that nobody makes until it is written by hand', () => {
    expect(statesOf('checkpoint-restore-without-controller')).toEqual({
      'box-1': [...created, 'Upgrading/Checkpointing', 'Upgrading/UpgradePod', 'Running'],
      'box-2': [...created, 'Upgrading/Checkpointing'],
    });
  });

  it('a pool whose containers crash', () => {
    expect(Object.values(statesOf('pool-crashing'))).toEqual([
      ['Creating', 'NotReady'],
      ['Creating', 'NotReady'],
    ]);
  });

  it('a sandbox that goes back to its pool', () => {
    expect(statesOf('recycle')['web-js6c9']).toEqual([
      'Creating',
      'Available',
      'Running',
      'Recycling',
      'Available',
      'Gone',
    ]);
  });

  it('Pods deleted from outside: failed for ever when claimed, replaced in the pool', () => {
    const states = statesOf('sandbox-pod-deleted');
    expect(states.solo).toEqual([...created, 'Failed']);
    expect(states['web-fn9hh']).toEqual(['Creating', 'Available', 'Running', 'Failed', 'Gone']);
    expect(states['web-5bjww']).toEqual(['Creating', 'Available', 'Failed', 'Gone']);
  });

  it('shutdown times', () => {
    expect(statesOf('shutdown-time')).toEqual({
      soon: [...created, 'Gone'],
      past: ['Creating', 'Gone'],
      moved: created,
      paused: [...created, ...paused, 'Terminating', 'Gone'],
    });
  });

  it('claims and their replacements', () => {
    const states = Object.values(statesOf('claim-and-refill')).map((list) => list.join(' '));
    expect(states.filter((list) => list === 'Creating Available Running')).toHaveLength(2);
    expect(states.filter((list) => list === 'Creating Available')).toHaveLength(4);
  });

  it('two updates at once', () => {
    const states = statesOf('second-update-race');
    expect(states.other).toEqual(created);
    expect(states['box-1']).toEqual([...created, 'Upgrading/UpgradePod', 'Running']);
  });
});

describe('causes that really held', () => {
  it('of the digest-pinned resume: old Pod, start, the comparison that never converges, and the same after the Pod was deleted', () => {
    expect(causesOf('resume-stuck-digest-init-container', 'pinned', 'Resuming')).toEqual([
      'ContainersStarting',
      'InitImageMismatch!',
      'OldPodTerminating',
      'PodMissing',
      'ContainersStarting',
      'InitImageMismatch!',
      'OldPodTerminating',
      'PodMissing',
      'ContainersStarting',
      'ControllerLag',
    ]);
    expect(causesOf('resume-stuck-digest-init-container', 'tagged', 'Resuming')).toEqual([
      'ContainersStarting',
      'ControllerLag',
    ]);
  });

  it('of an update stuck in its first stage', () => {
    expect(causesOf('paused-update-stuck-digest', 'pinned', 'Upgrading').at(-1)).toBe('InitImageMismatch!');
  });

  it.each([
    ['sandbox-start-failures', 'nopull', 'Creating', 'ImagePull'],
    ['sandbox-start-failures', 'nosched', 'Creating', 'Unschedulable'],
    ['sandbox-start-failures', 'noref', 'Creating', 'PodMissing'],
    ['sandbox-start-failures', 'noruntime', 'Creating', 'PodMissing'],
    ['sandbox-start-failures', 'crash', 'NotReady', 'CrashLoop'],
    ['sandbox-pod-deleted', 'solo', 'Failed', 'PodNotFound'],
    ['sandbox-pod-deleted', 'solo', 'Running', 'PodDeleted'],
    ['update-deadlock-failures', 'box-1', 'Upgrading', 'UpgradePodFailed'],
    ['update-pre-upgrade-hook-fails', 'box-1', 'Upgrading', 'HookFailed'],
    ['checkpoint-restore-without-controller', 'box-2', 'Upgrading', 'CheckpointPending'],
    ['locked-pool-member', 'web-8f2k5', 'Available', 'Locked'],
    ['pause-resume-stop', 'solo', 'Terminating', 'FinalizerHeld'],
  ])('%s: %s while %s', (recording, sandbox, state, code) => {
    expect(causesOf(recording, sandbox, state)).toContain(code);
  });

  it('of a Pod that the quota refuses, until the quota grows', () => {
    expect(causesOf('pod-create-failed-quota', 'web-5sz9t', 'Creating')).toEqual([
      'ControllerLag',
      'PodCreateFailed',
      'ContainersStarting',
      'ControllerLag',
    ]);
  });
});

const recordings = [
  'pause-resume-stop',
  'pause-while-resuming',
  'resume-stuck-digest-init-container',
  'update-recreate-success',
  'update-pre-upgrade-hook-fails',
  'update-deadlock-failures',
  'paused-update-stuck-digest',
  'pool-crashing',
  'rollout-stuck-bad-image',
  'recycle',
  'sandbox-pod-deleted',
  'locked-pool-member',
  'claim-and-refill',
  'second-update-race',
  'hook-timeout-and-unreachable',
  'shutdown-time',
  'sandbox-start-failures',
  'pod-create-failed-quota',
  'checkpoint-restore-without-controller',
  'update-lifecycle-only',
];

describe.each(recordings)('%s', (name) => {
  it('gives rows that the contract accepts, and durations that began when the state did', () => {
    let checked = 0;
    replay(name, ({ touched, now, t }) => {
      const { row, before } = touched ?? {};
      if (!row) return;
      sandboxRow.parse(row);
      expect(row.since === undefined).toBe(row.sinceFrom === 'unknown');
      if (before?.state === row.state || row.since === undefined) return;
      // Object times are whole seconds; a watch delivers within a fraction of one.
      const late = (now - row.since) / 1000;
      expect(late, `${touched?.name} ${row.state} at ${t} (${row.sinceFrom})`).toBeGreaterThan(-1);
      // The status of a hook is written when it has ended; the longest one here is given five seconds.
      const hook = row.stage === 'PreUpgradeFailed' ? 5 : 0;
      expect(late, `${touched?.name} ${row.state} at ${t} (${row.sinceFrom})`).toBeLessThan(2 + hook);
      checked++;
    });
    expect(checked).toBeGreaterThan(0);
  });
});

describe('urgency', () => {
  it('a resume that never converges is red before its limit, one on its way is not', () => {
    const seen: string[] = [];
    replay('resume-stuck-digest-init-container', ({ touched, now }) => {
      if (touched?.name !== 'pinned' || touched.row?.state !== 'Resuming') return;
      const shown = `${touched.row.cause?.code} ${severityOf(touched.row, now, standardLimits)}`;
      if (seen.at(-1) !== shown) seen.push(shown);
    });
    expect(seen.slice(0, 2)).toEqual(['ContainersStarting calm', 'InitImageMismatch breach']);
  });

  it('a lock that stays turns amber a minute after it was seen', () => {
    let lockedAt = 0;
    replay('locked-pool-member', ({ touched, now }) => {
      const { row } = touched ?? {};
      if (touched?.name !== 'web-8f2k5' || !row?.locked || lockedAt) return;
      lockedAt = now;
      expect(dwellOf(row, now)).toEqual({ ms: 0, atLeast: true, from: 'observed' });
      expect(severityOf(row, now, standardLimits)).toBe('calm');
      expect(severityOf(row, now + 61_000, standardLimits)).toBe('warn');
    });
    expect(lockedAt).toBeGreaterThan(0);
  });
});

describe('what operations leave on sandboxes', () => {
  it.each([
    ['update-pre-upgrade-hook-fails', { upFailed: true, policy: 'Recreate', stage: 'PreUpgradeFailed' }],
    ['update-deleted-midway', { policy: 'Recreate' }],
    // Success clears the policy, and leaves the hooks.
    ['hook-success', { op: 'up-1', upgraded: true, hooks: true, gen: 3, obs: 3 }],
  ])('%s: the failure label, the policy and the hooks are in the row while they are there', (name, expected) => {
    const seen: object[] = [];
    replay(name, ({ touched }) => {
      if (touched?.row) seen.push(touched.row);
    });
    expect(seen[0]).not.toHaveProperty('policy');
    expect(seen[0]).not.toHaveProperty('upFailed');
    expect(seen[0]).not.toHaveProperty('hooks');
    expect(seen).toContainEqual(expect.objectContaining(expected));
  });
});
