import { describe, expect, it } from 'vitest';
import { ago, claimed, codes, condition, fixture, objects, on, sandbox } from './cases.testing';

it('42 minutes in Resuming: both strings with their kinds, incomparable, a tag as the way out', () => {
  const verdict = on(fixture('resuming-digest-vs-image-id'), '7kq2m');
  expect(verdict).toMatchObject({ state: 'Resuming', clock: 'condition', dwellMs: 42 * 60_000, severity: 'breach' });
  expect(verdict.cause).toMatchObject({ code: 'InitImageMismatch', never: true, confidence: 'certain' });
  const compared = verdict.gates.find(({ outcome }) => outcome === 'failed')?.compared[0];
  expect(compared?.spec.kind).toBe('reference');
  expect(compared?.status.kind).toBe('image-id');
  expect(verdict.cause?.steps[0]?.values.image).toBe('registry.example.net/kelp/agent-runtime:v0.3.0');
});

it('Running with spec.paused is a pause on its way', () => {
  const verdicts = objects(
    sandbox('asked', {
      metadata: { ...claimed, generation: 3 },
      spec: { paused: true },
      status: { phase: 'Running', observedGeneration: 2, conditions: [condition('Ready', 'True', 'PodReady', 99)] },
    }),
  );
  expect(on(verdicts, 'asked')).toMatchObject({ state: 'Pausing', cause: { code: 'ControllerLag' } });
});

it('claimed, running and not ready keeps its reason', () => {
  const verdicts = objects(
    sandbox('cold', {
      metadata: claimed,
      status: {
        phase: 'Running',
        conditions: [
          condition('Ready', 'False', 'StartContainerFailed', 400, 'back-off 10s restarting failed container=a'),
        ],
      },
    }),
  );
  expect(on(verdicts, 'cold')).toMatchObject({ state: 'NotReady', severity: 'breach', cause: { code: 'CrashLoop' } });
});

it('past its shutdownTime and still there; extended, it is not', () => {
  const of = (seconds: number) =>
    on(
      objects(
        sandbox('expired', {
          metadata: claimed,
          spec: { shutdownTime: ago(seconds) },
          status: { phase: 'Running', conditions: [condition('Ready', 'True', 'PodReady', 99)] },
        }),
      ),
      'expired',
    );
  expect(codes(of(120))).toContain('PastShutdown');
  expect(codes(of(-600))).not.toContain('PastShutdown');
});

it('forty Pods of a node gone: each says what ended it, and that it does not come back', () => {
  const verdicts = objects(
    ...Array.from({ length: 40 }, (_, index) =>
      sandbox(`lost-${index}`, { metadata: claimed, status: { phase: 'Failed', message: 'Pod Not Found' } }),
    ),
  );
  expect(new Set(verdicts.map(({ cause }) => `${cause?.code} ${cause?.steps[0]?.code}`))).toEqual(
    new Set(['PodNotFound NewSandbox']),
  );
});

it('a Checkpoint without status was taken up by nobody', () => {
  const checkpoint = (name: string, rest: object) => ({
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Checkpoint',
    metadata: { name, namespace: 'kelp-lab', creationTimestamp: ago(7200) },
    ...rest,
  });
  const verdicts = objects(
    checkpoint('cp-otter-1', { spec: { sandboxName: 'a', ttlAfterFinished: '30d' } }),
    checkpoint('cp-otter-legacy', { spec: {} }),
    checkpoint('cp-done', { status: { phase: 'Succeeded' } }),
  );
  expect(verdicts.map(codes)).toEqual([['CheckpointNotTaken'], ['CheckpointNotTaken'], []]);
  expect(verdicts[0]).toMatchObject({ dwellMs: 7_200_000, clock: 'created' });
});

it('a pause of Hibernate that stalls is judged as a resume is', () => {
  const verdicts = objects(
    sandbox('frozen', {
      metadata: claimed,
      spec: { paused: true, pauseStrategy: { type: 'Hibernate' } },
      status: {
        phase: 'Paused',
        conditions: [condition('SandboxPaused', 'False', 'CheckpointFailed', 3600, 'no space')],
      },
    }),
  );
  expect(on(verdicts, 'frozen')).toMatchObject({
    state: 'Pausing',
    severity: 'breach',
    cause: { code: 'CheckpointFailed' },
  });
});

describe('locked, kept, recycling, held by a finalizer', () => {
  const verdicts = fixture('locked-reserved-recycled');

  it.each([
    ['lock1', 'Available', 'Locked', 'RemoveLock', 'warn'],
    ['kept2', 'Failed', 'PodNotFound', 'NewSandbox', 'calm'],
    ['loop3', 'Recycling', 'RecycleFailed', 'DeleteSandbox', 'breach'],
    ['hang4', 'Terminating', 'FinalizerHeld', 'CheckController', 'breach'],
  ])('%s is %s: %s', (name, state, code, first, severity) => {
    const verdict = on(verdicts, name);
    expect(verdict).toMatchObject({ state, severity, cause: { code } });
    expect(verdict.cause?.steps[0]?.code).toBe(first);
  });

  it('the time of the deletion is the clock', () => {
    expect(on(verdicts, 'hang4')).toMatchObject({ clock: 'condition', dwellMs: 7_200_000 });
  });
});

it('bare objects have verdicts, and none is well', () => {
  const verdicts = fixture('bare-and-missing-fields');
  expect(verdicts.map(({ subject }) => subject.name)).toEqual([
    ...['bare-1', 'bare-2', 'bare-3', 'bare-pool', 'bare-ops', 'bare-claim'],
  ]);
  for (const verdict of verdicts.slice(0, 3)) expect(verdict).toMatchObject({ state: 'Creating', clock: 'unknown' });
  expect(codes(on(verdicts, 'bare-1'))).toEqual(['NoTemplate']);
  expect(codes(on(verdicts, 'bare-2'))).toEqual(['ControllerLag']);
});

it('failures fill the limit; the other operation waits behind it', () => {
  const verdicts = fixture('update-ops-stalled-by-failures');
  expect(on(verdicts, 'bump-shell-250')).toMatchObject({ severity: 'breach', cause: { code: 'OperationDeadlocked' } });
  expect(on(verdicts, 'bump-shell-250').cause?.steps.map(({ code }) => code)).toEqual([
    'RaiseLimit',
    'DeleteOperation',
  ]);
  expect(on(verdicts, 'bump-env-log')).toMatchObject({ cause: { code: 'OperationWaits' } });
  expect(
    on(verdicts, 'c4d8z')
      .cause?.evidence.map(({ value }) => value)
      .join(),
  ).toContain('No space left on device');
});

it('what a hook printed is one piece of evidence: cut, without control characters, and without the token in it', () => {
  const printed = `exit status 2, stdout: <img src=x onerror=alert(1)>\tfiles\n\u001b[31mtoken=sk-live-0123456789abcdef0123\n${'x'.repeat(32 * 1024)}`;
  const verdict = on(
    objects(
      sandbox('hooked', {
        metadata: claimed,
        status: { phase: 'Upgrading', conditions: [condition('Upgrading', 'False', 'PreUpgradeFailed', 600, printed)] },
      }),
    ),
    'hooked',
  );
  const said = verdict.cause?.evidence.find(({ path }) => path.endsWith('.message'))?.value ?? '';
  expect(said).toContain('<img src=x onerror=alert(1)>');
  expect(said).not.toContain('\u001b');
  expect(said).not.toContain('0123456789abcdef0123');
  expect(said.length).toBeLessThanOrEqual(1100);
});

it('a policy that no operation needs any more is told, with what the next edit would do', () => {
  const left = sandbox('left', {
    metadata: { ...claimed, labels: { ...claimed.labels, 'agents.kruise.io/update-ops': 'gone' } },
    spec: { upgradePolicy: { type: 'Recreate' } },
    status: { phase: 'Running', conditions: [condition('Ready', 'True', 'PodReady', 99)] },
  });
  const other = {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'SandboxUpdateOps',
    metadata: { name: 'other', namespace: 'kelp-lab' },
    spec: { selector: {} },
    status: { phase: 'Completed' },
  };
  const hint = on(objects(left, other), 'left').hints.find(({ code }) => code === 'LeftoverPolicy');
  expect(hint?.steps[0]?.kubectl[0]).toContain('/spec/upgradePolicy');
});

it('values of a newer version are unknown, never well', () => {
  const verdicts = fixture('newer-version-values');
  for (const name of ['future-1', 'future-2', 'future-ops', 'future-claim']) {
    expect(on(verdicts, name).unknown, name).not.toEqual([]);
  }
  expect(on(verdicts, 'future-2').state).toBe('Other');
});

it('a Pod that hangs on a node that is not ready: the node is named, not the Pod', () => {
  const node = (status: string) => ({
    kind: 'Node',
    metadata: { name: 'node-12' },
    status: { conditions: [{ type: 'Ready', status }] },
  });
  const hanging = (status: string) =>
    on(
      objects(
        sandbox('dark', {
          metadata: {
            ...claimed,
            uid: 'dark-uid',
            deletionTimestamp: ago(600),
            finalizers: ['agents.kruise.io/sandbox'],
          },
          status: { phase: 'Running', conditions: [condition('Ready', 'True', 'PodReady', 999)] },
        }),
        {
          kind: 'Pod',
          metadata: { name: 'dark', namespace: 'kelp-lab', deletionTimestamp: ago(590) },
          spec: { nodeName: 'node-12' },
          status: { phase: 'Running' },
        },
        node(status),
      ),
      'dark',
    );
  // A kubelet that is silent turns the condition to Unknown.
  for (const status of ['Unknown', 'False']) {
    expect(hanging(status)).toMatchObject({
      state: 'Terminating',
      severity: 'breach',
      cause: { code: 'NodeNotReady' },
    });
  }
  expect(hanging('Unknown').cause?.steps.map(({ code }) => code)).toEqual(['CheckNode', 'ForceDeletePod']);
  expect(hanging('True').cause?.code).toBe('OldPodTerminating');
});
