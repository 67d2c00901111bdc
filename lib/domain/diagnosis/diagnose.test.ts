import { describe, expect, it } from 'vitest';
import { member, pool, upgrade } from '../rows.testing';
import { type DiagnoseInput, diagnose } from './diagnose';
import { ago, condition, event, healthy, now, podObject, sandboxObject } from './objects.testing';

const codes = (input: DiagnoseInput): string[] => {
  const { cause, hints } = diagnose(input);
  return [...(cause ? [cause.code] : []), ...hints.map(({ code }) => code)];
};

const prefix = 'agents.kruise.io/';
const failedHook = {
  phase: 'Upgrading',
  conditions: [condition('Upgrading', 'False', 'PreUpgradeFailed', 60, 'exit code 3')],
};
const state = (imageID: string) =>
  JSON.stringify({ revision: 'r', lastContainerStatuses: { main: { imageID } }, updateImages: true });
const inplacePod = (before: string, after: string, image = 'reg/code:v1') =>
  podObject({
    metadata: { annotations: { [`${prefix}inplace-update-state`]: state(before) } },
    status: { phase: 'Running', containerStatuses: [{ name: 'main', image, imageID: after, restartCount: 0 }] },
  });
const inplace = sandboxObject({
  status: { conditions: [condition('InplaceUpdate', 'False', 'InplaceUpdating', 1800)] },
});
const ending = podObject({ metadata: { deletionTimestamp: ago(200) } });

describe('each trap, and what is nearest to it', () => {
  it('a healthy sandbox raises nothing', () => {
    expect(codes(healthy())).toEqual([]);
  });

  it.each<[string, Partial<DiagnoseInput>, Partial<DiagnoseInput>]>([
    [
      'LeftoverFailedLabel',
      { sandbox: sandboxObject({ metadata: { labels: { [`${prefix}upgrade-failed`]: 'true' } } }) },
      { sandbox: sandboxObject({ metadata: { labels: { [`${prefix}upgrade-failed`]: 'false' } } }) },
    ],
    [
      'LeftoverPolicy',
      { sandbox: sandboxObject({ spec: { upgradePolicy: { type: 'Recreate' } } }) },
      {
        sandbox: sandboxObject({
          metadata: { labels: { [`${prefix}update-ops`]: 'up' } },
          spec: { upgradePolicy: { type: 'Recreate' } },
        }),
        operations: [upgrade({ name: 'up', phase: 'Updating' })],
      },
    ],
    [
      'LeftoverFinalizer',
      { sandbox: sandboxObject({ metadata: { finalizers: [`${prefix}sandbox`] } }) },
      { sandbox: sandboxObject({ metadata: { finalizers: ['other.io/x'] } }) },
    ],
    [
      'TemplateChangeIgnored',
      { events: [event('InplaceUpdateForbidden', 'InplaceUpdate only support image, resources, metadata', 40)] },
      // Noise after an upgrade: the Pod is of the newest template.
      {
        events: [event('InplaceUpdateForbidden')],
        sandbox: sandboxObject({
          status: {
            updateRevision: 'r2',
            conditions: [condition('Ready', 'True', 'PodReady'), condition('Upgrading', 'True', 'Succeeded')],
          },
        }),
        pod: podObject({ metadata: { labels: { 'pod-template-hash': 'r2' } } }),
      },
    ],
    [
      'NodeCordoned',
      { node: { name: 'node-1', ready: true, cordoned: true } },
      { node: { name: 'node-1', ready: true } },
    ],
    [
      'PastShutdown',
      { sandbox: sandboxObject({ spec: { shutdownTime: ago(120) } }) },
      { sandbox: sandboxObject({ spec: { shutdownTime: ago(-120) } }) },
    ],
    [
      'NoPodInfo',
      {
        pod: null,
        sandbox: sandboxObject({ status: { podInfo: null } }),
      },
      {},
    ],
    [
      'OutdatedClaimed',
      { sandbox: sandboxObject({ metadata: { labels: { [`${prefix}template-hash`]: 'old' } } }), pool: pool() },
      { sandbox: sandboxObject({ metadata: { labels: { [`${prefix}template-hash`]: 'new' } } }), pool: pool() },
    ],
    [
      'NotReset',
      { sandbox: sandboxObject({ status: { recycledCount: 14 } }) },
      { sandbox: sandboxObject({ status: { recycledCount: 0 } }) },
    ],
    [
      'PauseLosesMore',
      { sandbox: sandboxObject({ spec: { persistentContents: ['memory'] } }) },
      { sandbox: sandboxObject({ spec: { persistentContents: ['ip'] } }) },
    ],
    [
      'HookWithoutRuntime',
      { sandbox: sandboxObject({ status: failedHook }) },
      { sandbox: sandboxObject({ spec: { runtimes: [{ name: 'agent-runtime' }] }, status: failedHook }) },
    ],
    [
      'OperationPaused',
      {
        sandbox: sandboxObject({
          metadata: { labels: { [`${prefix}update-ops`]: 'up' } },
          status: { phase: 'Upgrading', conditions: [condition('Upgrading', 'False', 'ResumeSucceed')] },
        }),
        operations: [upgrade({ name: 'up', paused: true })],
      },
      {
        sandbox: sandboxObject({
          metadata: { labels: { [`${prefix}update-ops`]: 'up' } },
          status: { phase: 'Upgrading', conditions: [condition('Upgrading', 'False', 'ResumeSucceed')] },
        }),
        operations: [upgrade({ name: 'up' })],
      },
    ],
    [
      'MayStrand',
      { pod: podObject({ spec: { initContainers: [{ name: 'runtime', image: `reg/r@sha256:${'a'.repeat(64)}` }] } }) },
      { pod: podObject({ spec: { initContainers: [{ name: 'runtime', image: 'reg/r:v1' }] } }) },
    ],
    [
      'InplaceUpdateFailed',
      { sandbox: sandboxObject({ status: { conditions: [condition('InplaceUpdate', 'False', 'Failed')] } }) },
      {},
    ],
    [
      'RuntimeInitFailed',
      {
        sandbox: sandboxObject({
          status: { conditions: [condition('RuntimeInitialized', 'False', 'Failed', 60, 'connection refused')] },
        }),
      },
      {},
    ],
    [
      'NodeNotReady',
      {
        sandbox: sandboxObject({ spec: { paused: true }, status: { phase: 'Paused', conditions: [] } }),
        pod: ending,
        node: { name: 'node-1', ready: false },
      },
      {
        sandbox: sandboxObject({ spec: { paused: true }, status: { phase: 'Paused', conditions: [] } }),
        pod: ending,
      },
    ],
  ])('%s', (code, wrong, right) => {
    expect(codes(healthy(wrong))).toContain(code);
    expect(codes(healthy(right))).not.toContain(code);
  });
});

describe('a runtime that refuses its initialisation', () => {
  const scene = {
    sandbox: sandboxObject({
      status: { conditions: [condition('RuntimeInitialized', 'False', 'Failed', 60, 'connection refused')] },
    }),
  };

  it('is paused and resumed: with its pod deleted underneath, a running sandbox is lost', () => {
    const steps = diagnose(healthy(scene)).cause?.steps ?? [];
    expect(steps.map(({ code }) => code)).toEqual(['CheckRuntime', 'PauseThenResume', 'DeleteSandbox']);
    const lines = steps.flatMap(({ kubectl }) => kubectl);
    expect(lines.filter((line) => line.includes('delete pod'))).toEqual([]);
    expect(
      lines.filter((line) => line.includes('/spec/paused')).map((line) => /"value":(\w+)/.exec(line)?.[1]),
    ).toEqual(['true', 'false']);
  });
});

describe('an update in place', () => {
  it('never ends when the new name is the image that was there before', () => {
    const { cause } = diagnose(healthy({ sandbox: inplace, pod: inplacePod('sha256:a', 'sha256:a') }));
    expect(cause).toMatchObject({ code: 'InplaceUpdating', never: true });
    expect(cause?.steps[0]?.code).toBe('RecreateUpgrade');
  });

  it.each([
    ['the new image runs', inplacePod('sha256:a', 'sha256:b')],
    ['the node has not changed it yet', inplacePod('sha256:a', 'sha256:a', 'reg/code:v0')],
    [
      'the annotation cannot be read',
      podObject({ metadata: { annotations: { [`${prefix}inplace-update-state`]: '{' } } }),
    ],
  ])('may end while %s', (_, pod) => {
    expect(diagnose(healthy({ sandbox: inplace, pod })).cause?.never).toBe(false);
  });
});

describe('a way back that the Pod does not take', () => {
  const refused = [event('InplaceUpdateForbidden', 'currently, multiple in-place updates are not supported', 12)];
  const notReady = condition('Ready', 'False', 'InplaceUpdating', 1800, 'inplace update is incompleted');
  const sandbox = sandboxObject({
    status: { conditions: [notReady, condition('InplaceUpdate', 'False', 'InplaceUpdating', 1800)] },
  });
  const pod = podObject({
    metadata: { annotations: { [`${prefix}inplace-update-state`]: state('sha256:a') } },
    spec: { containers: [{ name: 'main', image: 'reg/code:bad' }] },
    status: {
      containerStatuses: [
        {
          ...{ name: 'main', image: 'reg/code:v1', imageID: 'sha256:a', ready: false, restartCount: 1 },
          state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "reg/code:bad"' } },
        },
      ],
    },
  });

  it('is not told to name another image: it does already, and that is refused', () => {
    const { cause, hints, severity } = diagnose(healthy({ sandbox, pod, events: refused }));
    expect(severity).toBe('breach');
    expect(cause?.code).toBe('InplaceSuperseded');
    expect(cause?.steps.map(({ code }) => code)).toEqual(['RecreateUpgrade']);
    expect(cause?.evidence).toContainEqual({ path: 'Pod spec.containers[main].image', value: 'reg/code:bad' });
    expect(hints.map(({ code }) => code)).not.toContain('TemplateChangeIgnored');
  });

  it('is a pull that fails as long as nothing was refused', () => {
    expect(diagnose(healthy({ sandbox, pod })).cause?.code).toBe('ImagePull');
  });

  it('is stuck although nothing differs and nothing errs, whatever Ready says', () => {
    const updating = condition('InplaceUpdate', 'False', 'InplaceUpdating', 1800);
    for (const ready of [[notReady], [condition('Ready', 'True', 'PodReady', 7200)], []]) {
      const judged = diagnose(
        healthy({
          sandbox: sandboxObject({ status: { conditions: [...ready, updating] } }),
          pod: inplacePod('sha256:a', 'sha256:a'),
        }),
      );
      expect(judged).toMatchObject({ severity: 'breach', cause: { code: 'InplaceUpdating', never: true } });
    }
  });

  it('has lasted since its own condition where Ready has no time', () => {
    const only = sandboxObject({
      status: { conditions: [condition('InplaceUpdate', 'False', 'InplaceUpdating', 1800)] },
    });
    expect(diagnose(healthy({ sandbox: only }))).toMatchObject({
      state: 'NotReady',
      dwellMs: 1_800_000,
      severity: 'breach',
    });
  });

  it('that the controller gave up is told of a sandbox that runs, and alarms nobody', () => {
    const failed = condition('InplaceUpdate', 'False', 'Failed', 600, 'pod resize is infeasible');
    const runs = sandboxObject({ status: { conditions: [condition('Ready', 'True', 'PodReady', 7200), failed] } });
    expect(diagnose(healthy({ sandbox: runs }))).toMatchObject({
      state: 'Running',
      severity: 'calm',
      cause: { code: 'InplaceUpdateFailed' },
    });
  });
});

describe('what is not known', () => {
  const resuming = sandboxObject({
    status: { phase: 'Resuming', conditions: [condition('SandboxResumed', 'False', 'CreatePod', 600)] },
  });

  it('without a look for its Pod nothing is said of one', () => {
    const { pod: _, ...input } = healthy({ sandbox: resuming });
    const verdict = diagnose(input);
    expect(verdict.cause).toBeUndefined();
    expect(verdict).toMatchObject({ severity: 'breach', missing: ['Pod'] });
    expect(verdict.checked).toContain('InitImageMismatch');
    expect(verdict.gates.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(7);
  });

  it('without operations nobody says that a policy was left behind', () => {
    const { operations: _, ...input } = healthy({
      sandbox: sandboxObject({ spec: { upgradePolicy: { type: 'Recreate' } } }),
    });
    expect(codes(input)).not.toContain('LeftoverPolicy');
  });

  it('phases, reasons and conditions of a newer version are shown, and nothing is taken for well', () => {
    const verdict = diagnose(
      healthy({
        sandbox: sandboxObject({
          status: {
            phase: 'Thawing',
            conditions: [condition('SandboxPaused', 'Unknown', 'Uploading'), condition('Network', 'False', 'Waiting')],
          },
        }),
      }),
    );
    expect(verdict.state).toBe('Other');
    expect(verdict.unknown).toEqual([
      { path: 'Sandbox status.phase', value: 'Thawing' },
      { path: 'Sandbox status.conditions[SandboxPaused].status', value: 'Unknown' },
      { path: 'Sandbox status.conditions[SandboxPaused].reason', value: 'Uploading' },
      { path: 'Sandbox status.conditions[Network]', value: 'False Waiting' },
    ]);
  });
});

describe('the clock', () => {
  const failed = sandboxObject({ status: { phase: 'Failed', message: 'Pod Not Found', conditions: [] } });

  it('is the event of the phase where no condition and nobody who watched tells', () => {
    const input = healthy({ sandbox: failed, pod: null, events: [event('SandboxFailed')] });
    expect(diagnose(input)).toMatchObject({ clock: 'event', since: now - 10_000, dwellMs: 10_000 });
    expect(diagnose({ ...input, events: [] })).toMatchObject({ clock: 'unknown' });
    expect(diagnose({ ...input, events: [] }).since).toBeUndefined();
  });

  it('of the cluster is brought to that of the reader', () => {
    const sandbox = sandboxObject({
      status: { phase: 'Resuming', conditions: [condition('SandboxResumed', 'False', 'CreatePod', 30)] },
    });
    // Their clock is a minute ahead: what reads as half a minute ago was one and a half.
    const verdict = diagnose(healthy({ sandbox, pod: null, now: now - 60_000, clockSkew: 60_000 }));
    expect(verdict).toMatchObject({ since: now - 90_000, dwellMs: 30_000 });
  });

  it('that lies ahead of the reader shows the doubt', () => {
    const sandbox = sandboxObject({
      status: { phase: 'Resuming', conditions: [condition('SandboxResumed', 'False', 'CreatePod', -40)] },
    });
    expect(diagnose(healthy({ sandbox, pod: null }))).toMatchObject({ dwellMs: 0, aheadMs: 40_000, severity: 'calm' });
    expect(diagnose(healthy({ sandbox, pod: null, clockSkew: 60_000 }))).not.toHaveProperty('aheadMs');
  });

  it('of what was seen counts where it was earlier than a condition that is refreshed without a flip', () => {
    const sandbox = sandboxObject({
      status: { phase: 'Resuming', conditions: [condition('SandboxResumed', 'False', 'CreatePod', 5)] },
    });
    const observed = { state: 'Resuming', at: now - 900_000 };
    expect(diagnose(healthy({ sandbox, pod: null, observed }))).toMatchObject({
      clock: 'observed',
      atLeast: true,
      severity: 'breach',
      limit: { warnMs: 30_000, breachMs: 120_000, overMs: 780_000 },
    });
  });
});

it('what is the normal way is a fault once it lasts longer than its state may', () => {
  const resuming = (seconds: number) =>
    healthy({
      sandbox: sandboxObject({
        status: { phase: 'Resuming', conditions: [condition('SandboxResumed', 'False', 'CreatePod', seconds)] },
      }),
      pod: podObject({ status: { phase: 'Pending' } }),
    });
  const early = diagnose(resuming(5));
  expect(early.cause).toMatchObject({ code: 'ContainersStarting', kind: 'wait' });
  expect(early.gates.map(({ outcome }) => outcome)).toEqual([
    ...['passed', 'passed', 'passed', 'passed', 'passed', 'waiting', 'notReached', 'notReached'],
  ]);
  expect(diagnose(resuming(500)).cause).toMatchObject({ code: 'ContainersStarting', kind: 'fault' });
});

it('how many of its pool hang alike is evidence, with those on its node', () => {
  const cause = { code: 'OldPodTerminating' as const };
  const siblings = ['node-1', 'node-1', 'node-2'].map((node) => member({ node, cause }));
  const paused = sandboxObject({ spec: { paused: true }, status: { phase: 'Paused', conditions: [] } });
  const { evidence = [] } =
    diagnose(healthy({ sandbox: paused, pod: ending, siblings: [...siblings, member()] })).cause ?? {};
  expect(evidence.slice(-2).map(({ value }) => value)).toEqual(['3', '2']);
});

it('evidence holds no credentials', () => {
  const sandbox = sandboxObject({
    status: {
      phase: 'Upgrading',
      conditions: [
        condition('Upgrading', 'False', 'PreUpgradeFailed', 9, 'stdout: password=hunter2 Bearer abcdefgh12345'),
      ],
    },
  });
  const text = JSON.stringify(diagnose(healthy({ sandbox })));
  expect(text).not.toMatch(/hunter2|abcdefgh12345/);
  expect(text).toContain('•••');
});

it('says of each gate that is passed what it was judged by, and nothing of one that is not reached', () => {
  const image = 'reg/runtime:v1';
  const digest = `sha256:${'b'.repeat(64)}`;
  const verdict = diagnose(
    healthy({
      sandbox: sandboxObject({
        status: {
          phase: 'Resuming',
          podInfo: { podUID: 'old-uid' },
          conditions: [condition('SandboxPaused', 'True', 'StopPauseSucceed', 100)],
        },
      }),
      pod: podObject({
        metadata: { creationTimestamp: ago(50) },
        spec: {
          nodeName: 'node-1',
          initContainers: [{ name: 'runtime', image }],
          containers: [{ name: 'main', image }],
        },
        status: {
          phase: 'Running',
          conditions: [condition('PodScheduled', 'True', '', 49)],
          initContainerStatuses: [{ name: 'runtime', image: digest, imageID: digest }],
          containerStatuses: [
            { name: 'main', image, imageID: digest, restartCount: 0, state: { running: { startedAt: ago(40) } } },
          ],
        },
      }),
    }),
  );
  const told = verdict.gates.map(({ code, outcome, evidence }) => [
    code,
    outcome,
    ...evidence.map(({ value }) => value),
  ]);
  const at = (seconds: number) => ago(seconds).replace('.000Z', 'Z');
  expect(
    told.map(([code, outcome, ...values]) => (outcome === 'failed' ? [code, outcome] : [code, outcome, ...values])),
  ).toEqual([
    ['PauseFinished', 'passed', 'True', 'StopPauseSucceed', at(100)],
    ['OldPodGone', 'passed', 'old-uid'],
    ['PodExists', 'passed', 'pod-uid', at(50)],
    ['Scheduled', 'passed', 'node-1', at(49)],
    ['ContainersStart', 'passed', '2/2'],
    ['PodRunning', 'passed', 'Running', at(40)],
    ['InitImages', 'failed'],
    ['Written', 'notReached'],
  ]);
});

describe('a finalizer that holds', () => {
  const held = (...finalizers: string[]) =>
    diagnose(healthy({ pod: null, sandbox: sandboxObject({ metadata: { deletionTimestamp: ago(900), finalizers } }) }))
      .cause?.steps;

  it('of somebody else is their business: by name, and its removal leaves their clean-up undone', () => {
    expect(held('example.com/hold')).toMatchObject([
      { code: 'AskFinalizerOwner', values: { finalizer: 'example.com/hold', owner: 'example.com' } },
      { code: 'RemoveFinalizer', loses: ['cleanUp'] },
    ]);
    expect(held('foregroundDeletion')?.[0]?.values.owner).toBe('Kubernetes');
  });

  it('of the controller is found in its log', () => {
    expect(held(`${prefix}sandbox`)?.map(({ code }) => code)).toEqual(['CheckController', 'RemoveFinalizer']);
    expect(held(`${prefix}sandbox`, 'example.com/hold')?.map(({ code }) => code)).toEqual([
      'CheckController',
      'AskFinalizerOwner',
      'RemoveFinalizer',
    ]);
  });
});

it('calls pausing again useless only where it is being resumed', () => {
  const pod = podObject({
    status: { phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'Unschedulable')] },
  });
  const useless = (phase: string) =>
    diagnose(healthy({ pod, sandbox: sandboxObject({ status: { phase } }) })).cause?.useless.map(({ code }) => code);
  expect(useless('Resuming')).toEqual(['DeletePod', 'PauseAgain']);
  expect(useless('Pending')).toEqual(['DeletePod']);
});

it('counts a node that is away among the evidence, and tells what is open as long as the Pod is its life', () => {
  const away = (phase: string) =>
    diagnose(
      healthy({
        node: { name: 'node-1', ready: false },
        pod: podObject({ status: { phase: 'Running', conditions: [condition('Ready', 'False', '')] } }),
        sandbox: sandboxObject({
          status: {
            phase,
            conditions: [condition('Ready', 'False', 'PodNotReady'), condition('Upgrading', 'False', 'UpgradePod')],
          },
        }),
      }),
    ).cause;
  expect(away('Running')?.evidence).toEqual(
    expect.arrayContaining([
      { path: 'Node node-1 status.conditions[Ready]', value: 'not True' },
      { path: 'Pod status.conditions[Ready].status', value: 'False' },
    ]),
  );
  expect(away('Running')?.steps.map(({ code }) => code)).toEqual(['BringNodeBack', 'MoveSession']);
  expect(away('Upgrading')?.steps.map(({ code }) => code)).toEqual(['BringNodeBack', 'ForceDeletePod']);
});

describe('the logs to read', () => {
  const failing = (message: string, template: object = {}) => {
    const sandbox = sandboxObject({
      spec: { template },
      status: { conditions: [condition('Ready', 'False', 'StartContainerFailed', 400, message)] },
    });
    return diagnose(healthy({ sandbox, pod: null })).cause?.steps.map(({ code, values, kubectl }) => ({
      code,
      container: values.container,
      kubectl,
    }));
  };
  const describePod = { code: 'DescribePod', container: undefined, kubectl: ['kubectl -n agents describe pod/box'] };
  const logsOf = (container: string) => `kubectl -n agents logs pod/box -c ${container} --previous`;

  it('are those of the container that the condition names, where there is no Pod', () => {
    const named = failing('back-off 10s restarting failed container=a pod=box_agents(box-uid)');
    expect(named).toEqual([{ code: 'ReadLogs', container: 'a', kubectl: [logsOf('a')] }, describePod]);
  });

  it('are those of its template where nobody names one', () => {
    const template = { spec: { containers: [{ name: 'main' }, { name: 'side' }] } };
    expect(failing('it failed', template)?.[0]).toEqual({
      code: 'ReadLogs',
      container: 'main, side',
      kubectl: [logsOf('main'), logsOf('side')],
    });
  });

  it('are not asked for where no container is known', () => {
    expect(failing('it failed')).toEqual([describePod]);
  });
});

it('what has expired and is still there is at fault, where nothing else holds it', () => {
  const expired = (seconds: number, more: Partial<DiagnoseInput> = {}) =>
    diagnose(healthy({ sandbox: sandboxObject({ spec: { shutdownTime: ago(seconds) } }), ...more }));
  const late = expired(400);
  expect(late).toMatchObject({ severity: 'breach', cause: { code: 'PastShutdown', kind: 'fault' } });
  expect(late.hints.map(({ code }) => code)).not.toContain('PastShutdown');
  expect(expired(60)).toMatchObject({ severity: 'calm', hints: [{ code: 'PastShutdown' }] });
  // A clock of the cluster that is ahead makes nothing late.
  expect(expired(-100, { clockSkew: 150_000 }).severity).toBe('calm');
  expect(expired(-100, { clockSkew: 300_000 }).severity).toBe('warn');
});

it('a checkpoint of it that nobody takes up is told beside, unless the sandbox itself waits for one', () => {
  const checkpoint = (seconds: number, sandboxName = 'box') => ({
    metadata: { name: 'cp', namespace: 'agents', uid: 'cp', creationTimestamp: ago(seconds) },
    spec: { sandboxName },
  });
  const told = (...checkpoints: DiagnoseInput['checkpoints'] & object) => codes(healthy({ checkpoints }));
  expect(told(checkpoint(7200))).toEqual(['CheckpointNotTaken']);
  expect(told(checkpoint(30))).toEqual([]);
  expect(told(checkpoint(7200, 'other'))).toEqual([]);
  const waits = sandboxObject({
    status: { phase: 'Upgrading', conditions: [condition('Upgrading', 'False', 'Checkpointing', 900)] },
  });
  expect(codes(healthy({ sandbox: waits, checkpoints: [checkpoint(900)] }))).toEqual(['CheckpointPending']);
});
