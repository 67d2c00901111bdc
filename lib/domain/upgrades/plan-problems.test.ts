import { describe, expect, it } from 'vitest';
import { app, box, byTeam, codesOf, failed, patch, problemsOf } from './plan.testing';
import { imageUnderCheckpoint, type PlanInput } from './plan-problems';

describe('problems', () => {
  it('none of a plain plan', () => {
    expect(problemsOf([box({ name: 'a' })])).toEqual([]);
  });

  it('nothing matches, or nothing changes', () => {
    expect(codesOf([])).toEqual(['nothingMatches stops']);
    expect(codesOf([box({ name: 'a', spec: { template: app('a:2') } })])).toEqual(['nothingChanges stops']);
  });

  it('the namespace is locked, the name is taken', () => {
    const operations = [
      { name: 'up', phase: 'Completed' },
      { name: 'other', phase: '' },
    ];
    expect(codesOf([box({ name: 'a' })], { operations })).toEqual(['nameTaken stops', 'namespaceLocked stops']);
  });

  it('names twenty and counts all', () => {
    const boxes = Array.from({ length: 30 }, (_, i) =>
      box({ name: `b${i}`, spec: { template: undefined, templateRef: {} } }),
    );
    const [problem] = problemsOf(boxes);
    expect(problem).toMatchObject({ code: 'templateRef', count: 30 });
    expect(problem?.names).toHaveLength(20);
  });

  it('hooks alone never end on a healthy sandbox, end at once on one upgraded before, and work on a failed one', () => {
    const hooks = { patch: undefined, draft: { ...byTeam, postUpgrade: { command: ['x'] } } };
    const runtimes = [{ name: 'agent-runtime' }];
    const before = { conditions: [{ type: 'Upgrading', status: 'True', reason: 'Succeeded' }] };
    expect(codesOf([box({ name: 'a', spec: { runtimes } })], hooks)).toEqual(['lifecycleOnlyNeverEnds stops']);
    expect(codesOf([box({ name: 'a', spec: { runtimes }, status: before })], hooks)).toEqual(['nothingChanges warns']);
    expect(codesOf([box({ name: 'a', spec: { runtimes }, status: failed('PostUpgradeFailed') })], hooks)).toEqual([]);
  });

  it('a change that leaves nothing but an empty list never ends either', () => {
    const nothing = { spec: { containers: [{ name: 'app', env: [{ name: 'X', $patch: 'delete' }] }] } };
    expect(codesOf([box({ name: 'a' })], { patch: nothing })).toEqual(['nothingChanges stops']);
  });

  it('checkpoints need somebody who makes them', () => {
    const draft = { ...byTeam, strategy: 'CheckpointRestore' as const };
    const env = { spec: { containers: [{ name: 'app', env: [{ name: 'X', value: '1' }] }] } };
    const of = (checkpoints: PlanInput['checkpoints']) =>
      codesOf([box({ name: 'a' })], { draft, patch: env }, { checkpoints });
    expect(of('answered')).toEqual([]);
    expect(of('unknown')).toEqual(['checkpointsUnknown warns']);
    expect(of('waiting')).toEqual(['checkpointWaits warns']);
    expect(of('silent')).toEqual(['noCheckpointController stops']);
    expect(of('noKind')).toEqual(['noCheckpointKind stops']);
  });

  it('an image under CheckpointRestore, in the words of the webhook', () => {
    const init = { spec: { initContainers: [{ name: 'runtime', image: 'r:2' }] } };
    expect(imageUnderCheckpoint(patch)).toEqual({
      containers: ['app'],
      message: 'CheckpointRestore strategy does not support modifying container images (container "app")',
    });
    expect(imageUnderCheckpoint(init)?.message).toBe(
      'CheckpointRestore strategy does not support modifying init container images (container "runtime")',
    );
    expect(
      imageUnderCheckpoint({
        spec: {
          containers: [
            { name: 'app', image: '' },
            { name: 'b', image: null },
          ],
        },
      }),
    ).toBeUndefined();
    expect(codesOf([box({ name: 'a' })], { draft: { ...byTeam, strategy: 'CheckpointRestore' } })).toEqual([
      'imageWithCheckpoint stops',
    ]);
  });

  it('what is brought back was not theirs', () => {
    const plan = { restored: new Set(['uid-a']) };
    expect(problemsOf([box({ name: 'a' }), box({ name: 'b' })], {}, plan)).toMatchObject([
      { code: 'historyUnknown', weight: 'warns', names: ['b'], count: 1 },
    ]);
    expect(codesOf([box({ name: 'a' })], {}, plan)).toEqual([]);
  });

  it('hooks need the agent runtime', () => {
    const draft = { ...byTeam, preUpgrade: { command: ['save'] } };
    expect(problemsOf([box({ name: 'a' })], { draft })).toMatchObject([
      { code: 'hookWithoutRuntime', weight: 'warns', names: ['a'] },
    ]);
  });

  it('the same again fails at once', () => {
    const retried = box({
      name: 'a',
      spec: { template: app('a:2'), upgradePolicy: { type: 'Recreate' } },
      status: failed('UpgradePodFailed'),
    });
    expect(codesOf([retried])).toEqual(['identicalRetry stops']);
  });

  it('a patch that cannot be merged, once', () => {
    const broken = { spec: { containers: { name: 'app' } } };
    expect(codesOf([box({ name: 'a' })], { patch: broken })).toEqual(['patchNotMergeable stops']);
    expect(problemsOf([box({ name: 'a' })], { patch: { spec: { containers: [{ name: 'ap' }] } } })).toMatchObject([
      { code: 'patchNotMergeable', names: ['a'], faults: [{ code: 'unknownContainer', values: { there: 'app' } }] },
    ]);
  });

  it('a field that no template has: it would be dropped, and nothing would change', () => {
    const slip = { spec: { container: [{ name: 'app', image: 'a:2' }] } };
    expect(problemsOf([box({ name: 'a' })], { patch: slip })).toMatchObject([
      {
        code: 'unknownField',
        weight: 'stops',
        faults: [{ path: 'spec.container', values: { nearest: 'containers' } }],
      },
    ]);
  });

  it('a Pod that the API server will refuse, by field; volumes of claims count', () => {
    const mount = app('a:2', { volumeMounts: [{ name: 'disk', mountPath: '/d' }] });
    const claims = { volumeClaimTemplates: [{ metadata: { name: 'disk' } }] };
    const boxes = [box({ name: 'a' }), box({ name: 'b', spec: { template: app('a:0'), ...claims } })];
    expect(problemsOf(boxes, { patch: mount })).toMatchObject([
      {
        code: 'podRefused',
        weight: 'stops',
        names: ['a'],
        faults: [{ path: 'spec.containers[app].volumeMounts[/d].name', code: 'noVolume', values: { value: 'disk' } }],
      },
    ]);
  });

  it('a container that is added, mostly by a slip', () => {
    const added = { spec: { containers: [{ name: 'ap', image: 'a:2' }] } };
    expect(problemsOf([box({ name: 'a' })], { patch: added })).toMatchObject([
      { code: 'addsContainer', weight: 'warns', names: ['ap'] },
    ]);
  });
});
