import { describe, expect, it } from 'vitest';
import { upgrade } from '../rows.testing';
import { type DiagnoseInput, diagnose } from './diagnose';
import { condition, healthy, podObject, sandboxObject } from './objects.testing';

const stuck = (reason: string, message: string, more: Partial<DiagnoseInput> = {}) =>
  diagnose(
    healthy({
      sandbox: sandboxObject({
        metadata: { labels: { 'agents.kruise.io/update-ops': 'up' } },
        status: { phase: 'Upgrading', conditions: [condition('Upgrading', 'False', reason, 900, message)] },
      }),
      ...more,
    }),
  ).cause;
const steps = (found: ReturnType<typeof stuck>) => found?.steps.map(({ code }) => code);
const useless = (found: ReturnType<typeof stuck>) => found?.useless.map(({ code }) => code);

const away = { node: { name: 'node-1', ready: false } };
const refused = 'hook execution error: unavailable: dial tcp 10.0.0.1:49983: connect: no route to host';
const pullFails = 'container main: ErrImagePull - failed to pull and unpack image';

describe('an upgrade on a node that is not ready', () => {
  it.each(['PreUpgradeFailed', 'PostUpgradeFailed'])(
    '%s of a hook without an answer: the node, then the hook',
    (why) => {
      const found = stuck(why, refused, away);
      expect(found).toMatchObject({ code: 'NodeNotReady', confidence: 'likely' });
      const evidence = found?.evidence.map(({ value }) => value);
      expect(evidence).toEqual(expect.arrayContaining(['not True', 'node-1', why, refused]));
      // Without its Pod the hook has nowhere to run, and nobody makes another.
      expect(steps(found)).toEqual(['BringNodeBack', 'ReadHookOutput', 'RetryOperation', 'DeleteOperation']);
      expect(useless(found)).toEqual(['DeletePod']);
    },
  );

  it('also while its Pod is on its way out there', () => {
    const pod = podObject({ metadata: { deletionTimestamp: '2026-11-03T07:50:00Z' } });
    expect(stuck('PreUpgradeFailed', refused, { ...away, pod })?.code).toBe('NodeNotReady');
  });

  it('a new Pod that failed there may be had elsewhere', () => {
    const found = stuck('UpgradePodFailed', pullFails, away);
    expect(found?.code).toBe('NodeNotReady');
    expect(steps(found)).toEqual(['BringNodeBack', 'ForceDeletePod']);
  });

  it.each<[string, string, string, Partial<DiagnoseInput>]>([
    ['a hook that ended with a code', 'HookFailed', 'hook failed with exit code 3, stderr: disk is full', away],
    ['a node that is ready', 'HookFailed', refused, {}],
    ['a node that nobody read', 'HookFailed', refused, { node: undefined } as never],
    ['no Pod', 'HookFailed', refused, { ...away, pod: null }],
  ])('%s keeps its own cause', (_, code, message, more) => {
    expect(stuck('PreUpgradeFailed', message, more)?.code).toBe(code);
  });

  it('a new Pod that failed on a node that is ready keeps its own cause', () => {
    expect(stuck('UpgradePodFailed', pullFails)?.code).toBe('UpgradePodFailed');
  });
});

describe('a checkpoint that failed', () => {
  const failed = (why: string, more: Partial<DiagnoseInput> = {}) =>
    stuck('CheckpointFailed', `checkpoint box-82f5z7tg failed during upgrade: ${why}`, more);

  it.each([
    'no checkpoint provider is registered',
    'the server could not find the requested resource',
    'rpc error: code = Unimplemented desc = method Checkpoint not implemented',
  ])('for want of anybody who makes one asks for one: %s', (why) => {
    expect(steps(failed(why))).toEqual(['InstallCheckpoints', 'RestoreAsRecreate']);
  });

  it('is read first, and makes room for another', () => {
    const found = failed('no space left on device');
    expect(steps(found)).toEqual(['ReadCheckpoint', 'DeleteCheckpoint', 'RestoreAsRecreate']);
    expect(found?.steps[1]?.kubectl).toEqual(['kubectl -n agents delete checkpoints/box-82f5z7tg']);
  });

  it('out of time is tried again first', () => {
    expect(steps(failed('timed out after 60s'))?.[0]).toBe('DeleteCheckpoint');
    expect(steps(failed('context deadline exceeded'))?.[0]).toBe('DeleteCheckpoint');
  });

  it('is found by the sandbox that it is of, where they are listed', () => {
    const checkpoint = (name: string, sandboxName: string) => ({
      metadata: { name, namespace: 'agents', uid: name },
      spec: { sandboxName },
      status: { phase: 'Failed' },
    });
    const found = stuck('CheckpointFailed', 'no space', {
      checkpoints: [checkpoint('box-2-a', 'box-2'), checkpoint('mine', 'box')],
    });
    expect(found?.steps[1]?.kubectl).toEqual(['kubectl -n agents delete checkpoints/mine']);
  });

  it('of a pause has no upgrade to make another way', () => {
    const conditions = [condition('SandboxPaused', 'False', 'CheckpointFailed', 900, 'no space')];
    const sandbox = sandboxObject({ spec: { paused: true }, status: { phase: 'Paused', conditions } });
    expect(steps(diagnose(healthy({ sandbox })).cause)).toEqual(['ReadCheckpoint']);
  });
});

it('a checkpoint that a pause waits for has no upgrade to make another way', () => {
  const conditions = [condition('SandboxPaused', 'False', 'CheckpointCreating', 900)];
  const sandbox = sandboxObject({ spec: { paused: true }, status: { phase: 'Paused', conditions } });
  const found = diagnose(healthy({ sandbox })).cause;
  expect(found?.code).toBe('CheckpointPending');
  expect(steps(found)).toEqual(['InstallCheckpoints']);
  expect(steps(stuck('Checkpointing', 'Waiting'))).toEqual(['InstallCheckpoints', 'RestoreAsRecreate']);
});

describe('another operation', () => {
  const active = { operations: [upgrade({ name: 'up', phase: 'Updating' })] };
  const other = { operations: [upgrade({ name: 'up', phase: 'Failed' }), upgrade({ name: 'next', phase: '' })] };
  const nobodyLooked = { operations: undefined } as never;

  it.each([
    ['is at work', active],
    ['may be, for nobody looked', nobodyLooked],
  ])('comes after the end of its own, which %s', (_, more) => {
    const pod = stuck('UpgradePodFailed', pullFails, more);
    expect(steps(pod)).toEqual(['WaitForOperation', 'DeleteOperation', 'FixWithOperation', 'DescribePod']);
    expect(pod?.steps[0]?.values).toEqual({ operation: 'up' });
    const hook = stuck('PreUpgradeFailed', 'exit code 3', more);
    expect(steps(hook)).toEqual(['ReadHookOutput', 'WaitForOperation', 'DeleteOperation', 'RetryOperation']);
  });

  it('comes after the end of whatever is at work in the namespace', () => {
    const pod = stuck('UpgradePodFailed', pullFails, other);
    expect(steps(pod)).toEqual(['WaitForOperation', 'FixWithOperation', 'DescribePod', 'DeleteOperation']);
    expect(pod?.steps[0]?.values).toEqual({ operation: 'next' });
  });

  it('comes first once its own is over', () => {
    const over = { operations: [upgrade({ name: 'up', phase: 'Failed' })] };
    expect(steps(stuck('UpgradePodFailed', pullFails, over))?.[0]).toBe('FixWithOperation');
    expect(steps(stuck('PreUpgradeFailed', 'exit code 3', over))?.[0]).toBe('ReadHookOutput');
  });

  it('is not to be made for a sandbox that was left behind, either, as long as one is active', () => {
    const sandbox = sandboxObject({
      metadata: { labels: { 'agents.kruise.io/update-ops': 'gone' } },
      status: { phase: 'Upgrading', conditions: [condition('Upgrading', 'False', 'UpgradePodFailed', 900)] },
    });
    const orphaned = diagnose(healthy({ sandbox, ...active })).hints.find(({ code }) => code === 'OrphanedUpgrade');
    expect(orphaned?.steps.map(({ code }) => code)).toEqual(['WaitForOperation', 'FixWithOperation']);
  });
});

describe('deleting the Pod', () => {
  it.each([
    ['PreUpgradeFailed', 'hook failed with exit code 3', 'HookFailed'],
    ['UpgradePodFailed', pullFails, 'UpgradePodFailed'],
    ['UpgradePodFailed', 'container main: CrashLoopBackOff - back-off 10s', 'UpgradePodFailed'],
    ['UpgradePodFailed', 'container main: terminated with exit code 1 - Error', 'UpgradePodFailed'],
    ['Checkpointing', 'Waiting for checkpoint box-82f5z7tg', 'CheckpointPending'],
  ] as const)('is useless with %s (%s)', (reason, message, code) => {
    const found = stuck(reason, message);
    expect(found?.code).toBe(code);
    expect(useless(found)).toContain('DeletePod');
  });

  it('is not called so where another node may give what this one did not', () => {
    const found = stuck('UpgradePodFailed', 'container main: CreateContainerError - failed to reserve container name');
    expect(useless(found)).toEqual(['Wait']);
  });
});
