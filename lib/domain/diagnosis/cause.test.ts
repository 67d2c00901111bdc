import { describe, expect, it } from 'vitest';
import type { ConditionFact, PodDigest, SandboxFacts } from '../facts';
import { displayStateOf, sinceOf } from '../sandbox-state';
import { causeOf as causeOfScene, messageOf as messageOfScene } from './cause';
import { sceneOf } from './scene';

const causeOf = (sandbox: SandboxFacts, own: PodDigest | undefined, node?: { name: string; ready: boolean }) =>
  causeOfScene(sceneOf(sandbox, own, node));
const messageOf = (sandbox: SandboxFacts, cause: ReturnType<typeof causeOf>) =>
  messageOfScene(sceneOf(sandbox, undefined), cause);

function facts(fields: Partial<SandboxFacts> & { conditions?: Record<string, ConditionFact> }): SandboxFacts {
  return {
    uid: 'box',
    phase: 'Running',
    paused: false,
    idle: false,
    claimed: true,
    locked: false,
    finalizers: [],
    conditions: {},
    ...fields,
  };
}

function pod(fields: Partial<PodDigest> = {}): PodDigest {
  return { uid: 'pod', ns: 'agents', name: 'box', phase: 'Running', ownerUid: 'box', restarts: 0, ...fields };
}

const is = (status: string, reason: string, message?: string, at?: number): ConditionFact => ({
  status,
  reason,
  ...(message === undefined ? {} : { message }),
  ...(at === undefined ? {} : { at }),
});
const upgrading = (reason: string, message?: string) =>
  facts({ phase: 'Upgrading', conditions: { Upgrading: is('False', reason, message) } });
const resuming = facts({ phase: 'Resuming', conditions: { SandboxPaused: is('True', 'StopPauseSucceed') } });
const runtime = (spec: string, status?: string) =>
  pod({ initImages: [{ container: 'agent-runtime', spec, ...(status === undefined ? {} : { status }) }] });

describe('causeOf', () => {
  it.each<[string, SandboxFacts, PodDigest | undefined, object | undefined]>([
    [
      'a Pod of an earlier sandbox of the name',
      facts({ phase: 'Pending' }),
      pod({ ownerUid: 'older' }),
      { code: 'PodOwnerMismatch', detail: 'box' },
    ],
    [
      'an old Pod that a finalizer holds',
      resuming,
      pod({ deleting: 1, node: 'n', finalizers: ['x/y'] }),
      { code: 'OldPodTerminating', detail: 'n · x/y' },
    ],
    ['no Pod although creation failed no more', resuming, undefined, { code: 'PodMissing' }],
    [
      'quota, while resuming',
      facts({ phase: 'Resuming', conditions: { Ready: is('False', 'PodCreateFailed', 'exceeded quota') } }),
      undefined,
      { code: 'PodCreateFailed', detail: 'exceeded quota' },
    ],
    [
      'no node',
      resuming,
      pod({ phase: 'Pending', scheduled: false, unschedulable: '0/3 nodes' }),
      { code: 'Unschedulable', detail: '0/3 nodes' },
    ],
    [
      'an init image that does not come',
      resuming,
      pod({ phase: 'Pending', waiting: { container: 'a', init: true, reason: 'ImagePullBackOff', message: '429' } }),
      { code: 'ImagePull', detail: 'a: ImagePullBackOff - 429' },
    ],
    [
      'a container that cannot be made',
      facts({}),
      pod({ waiting: { container: 'a', init: false, reason: 'CreateContainerConfigError' } }),
      { code: 'StartContainerFailed', detail: 'a: CreateContainerConfigError' },
    ],
    [
      'a normal start',
      facts({ phase: 'Pending' }),
      pod({ phase: 'Pending', waiting: { container: 'a', init: false, reason: 'ContainerCreating' } }),
      { code: 'ContainersStarting' },
    ],
    [
      'another tag of the same repository',
      resuming,
      runtime('reg/x:v1', 'reg/x:v2'),
      { code: 'InitImageMismatch', detail: 'agent-runtime: reg/x:v1 ≠ reg/x:v2', image: 'reg/x:v1', never: true },
    ],
    [
      'a mirror: nobody can say never',
      resuming,
      runtime('reg.local/x:v1', 'mirror.local/x:v1'),
      {
        code: 'InitImageMismatch',
        detail: 'agent-runtime: reg.local/x:v1 ≠ mirror.local/x:v1',
        image: 'reg.local/x:v1',
      },
    ],
    [
      'no status of the init container yet',
      resuming,
      runtime('reg/x:v1'),
      { code: 'ContainersStarting', detail: 'agent-runtime' },
    ],
    ['every gate passed, not written yet', resuming, pod(), { code: 'ControllerLag' }],
    [
      'runtime init that fails',
      facts({ conditions: { RuntimeInitialized: is('False', 'Failed', 'connection refused') } }),
      pod(),
      { code: 'RuntimeInitFailed', detail: 'connection refused' },
    ],
    [
      'runtime init that waits',
      facts({ conditions: { RuntimeInitialized: is('False', 'Pending') } }),
      pod(),
      { code: 'RuntimeInitPending' },
    ],
    [
      'runtime init that waits for a crashing Pod',
      facts({ conditions: { RuntimeInitialized: is('False', 'Pending') } }),
      pod({ waiting: { container: 'a', init: false, reason: 'CrashLoopBackOff' } }),
      { code: 'CrashLoop', detail: 'a: CrashLoopBackOff' },
    ],
    [
      'not ready, no Pod read, the condition says it',
      facts({
        conditions: { Ready: is('False', 'StartContainerFailed', 'back-off 10s restarting failed container=a') },
      }),
      undefined,
      { code: 'CrashLoop', detail: 'back-off 10s restarting failed container=a' },
    ],
    ['a pause whose Pod is gone', facts({ phase: 'Paused', paused: true }), undefined, { code: 'ControllerLag' }],
    [
      'a pause whose checkpoint failed',
      facts({ phase: 'Paused', conditions: { SandboxPaused: is('False', 'CheckpointFailed', 'no disk') } }),
      pod(),
      { code: 'CheckpointFailed', detail: 'no disk' },
    ],
    ['an update that waits for its template', upgrading('ResumeSucceed'), pod(), { code: 'WaitingForPatch' }],
    ['a hook that runs', upgrading('PreUpgrade'), pod(), undefined],
    [
      'an update whose init container fails, which nobody reports',
      upgrading('UpgradePod'),
      pod({ phase: 'Pending', waiting: { container: 'a', init: true, reason: 'ErrImagePull', image: 'reg/x:v9' } }),
      { code: 'ImagePull', detail: 'a: ErrImagePull', image: 'reg/x:v9' },
    ],
    ['a checkpoint that failed', upgrading('CheckpointFailed', 'x'), pod(), { code: 'CheckpointFailed', detail: 'x' }],
    ['a stage of a newer version', upgrading('Warming'), pod(), undefined],
    [
      'a running one whose Pod is on its way out',
      facts({ conditions: { Ready: is('True', 'PodReady') } }),
      pod({ deleting: 1, node: 'n' }),
      { code: 'PodDeleted', detail: 'n' },
    ],
    [
      'one whose Pod an upgrade deletes before its status says so',
      facts({ generation: 3, observed: 2, conditions: { Ready: is('True', 'PodReady') } }),
      pod({ deleting: 1, node: 'n' }),
      { code: 'OldPodTerminating', detail: 'n' },
    ],
    [
      'an in-place update',
      facts({ conditions: { InplaceUpdate: is('False', 'InplaceUpdating', 'incomplete') } }),
      pod({ ready: true }),
      { code: 'InplaceUpdating', detail: 'incomplete' },
    ],
    ['nothing to make a Pod of', facts({ phase: '', noTemplate: true }), undefined, { code: 'NoTemplate' }],
    [
      'a Pod that ended by itself',
      facts({ phase: 'Failed', message: 'Pod status phase is Failed' }),
      undefined,
      { code: 'PodEnded', detail: 'Pod status phase is Failed' },
    ],
    [
      'a recycling that was refused',
      facts({ phase: 'Recycling', conditions: { Recycling: is('False', 'RecyclingFailed', 'hash') } }),
      pod(),
      { code: 'RecycleFailed', detail: 'hash' },
    ],
    [
      'a deletion that waits for the Pod',
      facts({ deleting: 1, finalizers: ['agents.kruise.io/sandbox'] }),
      pod({ deleting: 1, node: 'n' }),
      { code: 'OldPodTerminating', detail: 'n' },
    ],
    ['an unknown phase', facts({ phase: 'Thawing' }), pod(), undefined],
  ])('%s', (_, sandbox, own, cause) => {
    expect(causeOf(sandbox, own)).toEqual(cause);
  });

  it.each<[string, SandboxFacts]>([
    ['resume', resuming],
    ['deletion', facts({ deleting: 1, finalizers: ['agents.kruise.io/sandbox'] })],
    ['pause', facts({ phase: 'Paused', paused: true })],
  ])('names the node that is not ready where a %s waits for its Pod to end', (_, sandbox) => {
    const ending = pod({ deleting: 1, node: 'node-12' });
    const notReady = { code: 'NodeNotReady', detail: 'node-12' };
    expect(causeOf(sandbox, ending, { name: 'node-12', ready: false })).toEqual(notReady);
    expect(causeOf(sandbox, ending, { name: 'node-12', ready: true })?.code).toBe('OldPodTerminating');
    expect(causeOf(sandbox, { ...ending, reason: 'NodeLost' })).toEqual(notReady);
  });

  it.each<[string, SandboxFacts, PodDigest]>([
    ['creation', facts({ phase: 'Pending' }), pod({ phase: 'Pending' })],
    [
      'creation, which last heard of a pull',
      facts({ phase: 'Pending' }),
      pod({ phase: 'Pending', waiting: { container: 'a', init: true, reason: 'ErrImagePull' } }),
    ],
    ['resume', resuming, pod({ phase: 'Pending' })],
    ['resume without a status of its init container', resuming, runtime('reg/x:v1')],
    ['new Pod of an upgrade', upgrading('UpgradePod'), pod({ ready: false })],
    ['initialisation', facts({ conditions: { RuntimeInitialized: is('False', 'Pending') } }), pod()],
    ['readiness', facts({ conditions: { Ready: is('False', 'PodNotReady') } }), pod({ ready: false })],
    [
      'in-place update',
      facts({ conditions: { Ready: is('True', 'PodReady'), InplaceUpdate: is('False', 'InplaceUpdating') } }),
      pod({ ready: true }),
    ],
  ])('names the node that went away at once, not only at the eviction: %s', (_, sandbox, own) => {
    const there = { ...own, node: 'node-12' };
    expect(causeOf(sandbox, there, { name: 'node-12', ready: false })).toEqual({
      code: 'NodeNotReady',
      detail: 'node-12',
    });
    expect(causeOf(sandbox, there, { name: 'node-12', ready: true })?.code).not.toBe('NodeNotReady');
    expect(causeOf(sandbox, there)?.code).not.toBe('NodeNotReady');
  });

  it.each(['', 'Pending'])('is a SandboxTemplate that does not exist, in phase "%s"', (phase) => {
    const scene = { ...sceneOf(facts({ phase }), undefined), templateMissing: 'nowhere' };
    expect(causeOfScene(scene)).toEqual({ code: 'TemplateMissing', detail: 'nowhere' });
  });

  it('leaves a node that went away out of what it does not hold up', () => {
    const away = { name: 'node-12', ready: false };
    const never = { ...runtime('reg/x:v1', 'reg/x:v2'), node: 'node-12' };
    expect(causeOf(resuming, never, away)?.code).toBe('InitImageMismatch');
    const ready = facts({ conditions: { Ready: is('True', 'PodReady') } });
    expect(causeOf(ready, pod({ ready: true, node: 'node-12' }), away)).toBeUndefined();
  });

  it('keeps the evidence short', () => {
    const long = facts({ phase: 'Failed', message: `Pod Not Found ${'x'.repeat(2000)}` });
    expect(causeOf(long, undefined)?.detail).toHaveLength(200);
  });
});

describe('messageOf', () => {
  it('does not repeat the cause, nor quote an error that is over', () => {
    expect(
      messageOf(upgrading('PreUpgradeFailed', 'exit 3'), { code: 'HookFailed', detail: 'exit 3' }),
    ).toBeUndefined();
    const started = facts({
      phase: 'Pending',
      conditions: { Ready: is('False', 'PodCreateFailed', 'exceeded quota') },
    });
    expect(messageOf(started, causeOf(started, pod({ phase: 'Pending' })))).toBeUndefined();
  });

  it('quotes what ended the sandbox', () => {
    const ended = facts({ phase: 'Succeeded', message: 'Pod status phase is Succeeded' });
    expect(messageOf(ended, undefined)).toBe('Pod status phase is Succeeded');
  });
});

describe('sinceOf', () => {
  const since = (sandbox: SandboxFacts, observed?: { state: string; at: number }) =>
    sinceOf(sandbox, displayStateOf(sandbox), observed);

  it('of a resumed sandbox is not the time of the pause, when Ready turned False', () => {
    const conditions = {
      Ready: is('False', 'PodReady', undefined, 100),
      RuntimeInitialized: is('False', 'Pending', undefined, 50),
      SandboxResumed: is('True', 'ResumePod', undefined, 900),
    };
    expect(since(facts({ conditions }))).toEqual({ at: 900, from: 'condition' });
  });

  it('of a running session is its claim, of an idle member its readiness or its return', () => {
    const ready = { Ready: is('True', 'PodReady', undefined, 100) };
    expect(since(facts({ claimedAt: 700, conditions: ready }))).toEqual({ at: 700, from: 'condition' });
    expect(since(facts({ idle: true, claimedAt: 700, conditions: ready }))).toEqual({ at: 100, from: 'condition' });
    const recycled = { ...ready, Recycling: is('True', 'RecyclingSucceeded', undefined, 800) };
    expect(since(facts({ idle: true, conditions: recycled }))).toEqual({ at: 800, from: 'condition' });
  });

  it('is never the creation as a stand-in', () => {
    for (const phase of ['Failed', 'Succeeded', 'Thawing', 'Resuming', 'Upgrading', 'Recycling', 'Paused', 'Running']) {
      expect(since(facts({ phase, created: 5 }))).toEqual({ from: 'unknown' });
      const sandbox = facts({ phase, created: 5 });
      expect(since(sandbox, { state: displayStateOf(sandbox), at: 40 })).toEqual({ at: 40, from: 'observed' });
    }
    expect(since(facts({ phase: 'Pending', created: 5 }))).toEqual({ at: 5, from: 'created' });
  });

  it('ignores what was observed of another state', () => {
    expect(since(facts({ phase: 'Failed' }), { state: 'Running', at: 40 })).toEqual({ from: 'unknown' });
  });
});
