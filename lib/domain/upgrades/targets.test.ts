import { describe, expect, it } from 'vitest';
import { app, type Box, box, byTeam, classify, codesOf, failed, patch } from './plan.testing';
import type { ClassifyInput } from './targets';

const reasonOf = (one: Box, more: Partial<ClassifyInput> = {}) => {
  const { targets, leftOut } = classify([box(one)], more);
  return leftOut[0]?.reason ?? targets[0]?.name;
};
describe('who is taken', () => {
  const owner = {
    ownerReferences: [{ kind: 'SandboxSet', apiVersion: 'agents.kruise.io/v1alpha1', controller: true }],
  };
  const paused = { phase: 'Paused', conditions: [{ type: 'SandboxPaused', status: 'True' }] };
  const both: ClassifyInput['draft'] = { ...byTeam, states: ['Running', 'Paused'] };

  it.each<[string, Box, Partial<ClassifyInput>, string]>([
    ['a running one', { name: 'a' }, {}, 'a'],
    ['a member of its pool', { name: 'a', metadata: owner }, {}, 'poolMember'],
    [
      'one that is being deleted',
      { name: 'a', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
      {},
      'terminating',
    ],
    ['one that ended', { name: 'a', status: { phase: 'Failed' } }, {}, 'terminal'],
    ['a paused one', { name: 'a', status: paused }, {}, 'stateNotChosen'],
    ['a paused one that is wanted', { name: 'a', status: paused, spec: { paused: true } }, { draft: both }, 'a'],
    [
      'one that still pauses',
      { name: 'a', status: { phase: 'Paused' }, spec: { paused: true } },
      { draft: both },
      'stillPausing',
    ],
    ['one that is about to resume', { name: 'a', status: paused }, { draft: both }, 'stillPausing'],
    ['one that resumes', { name: 'a', status: { phase: 'Resuming' } }, { draft: both }, 'otherPhase'],
    ['one that is as it shall be', { name: 'a', spec: { template: app('a:2') } }, {}, 'upToDate'],
    [
      'such a one whose last edit is not observed',
      { name: 'a', spec: { template: app('a:2') }, status: { observedGeneration: 1 } },
      {},
      'a',
    ],
    [
      'such a one that failed',
      { name: 'a', spec: { template: app('a:2') }, status: failed('PreUpgradeFailed') },
      {},
      'a',
    ],
    [
      'one without a template',
      { name: 'a', spec: { template: undefined, templateRef: { name: 't' } } },
      {},
      'templateRef',
    ],
    [
      'one that cannot be patched',
      { name: 'a' },
      { patch: { spec: { containers: [{ name: 'typo' }] } } },
      'unmergeable',
    ],
    ['one without a patch', { name: 'a' }, { patch: undefined }, 'a'],
  ])('%s', (_, one, more, verdict) => {
    expect(reasonOf(one, more)).toBe(verdict);
  });

  it.each([
    ['Updating', 'otherOperation'],
    ['Pending', 'otherOperation'],
    ['Failed', 'a'],
    ['', 'a'],
  ])('one of another operation that is %s', (phase, verdict) => {
    const one = { name: 'a', labels: { 'agents.kruise.io/update-ops': 'other' } };
    expect(reasonOf(one, { operations: [{ name: 'other', phase }] })).toBe(verdict);
  });

  it('one that was chosen counts while another operation still holds it, and says which', () => {
    const held = box({ name: 'a', labels: { 'agents.kruise.io/update-ops': 'other' } });
    const draft = { ...byTeam, targets: { by: 'selection' as const, sandboxes: [{ uid: 'uid-a', name: 'a' }] } };
    expect(classify([held], { draft, operations: [{ name: 'other', phase: 'Updating' }] }).targets).toMatchObject([
      { name: 'a', heldBy: 'other' },
    ]);
    expect(classify([held], { draft, operations: [{ name: 'other', phase: 'Failed' }] }).targets).not.toMatchObject([
      { heldBy: 'other' },
    ]);
  });

  it('looks at what the selector matches alone, in the order of names', () => {
    const { targets, leftOut } = classify([
      box({ name: 'b' }),
      box({ name: 'a' }),
      box({ name: 'c', labels: { team: 'x' } }),
    ]);
    expect(targets.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(leftOut).toEqual([]);
  });

  it('single ones go by their uid; who carries the mark without being chosen is told', () => {
    const mark = { 'console.agents.kruise.io/upgrade': 'up' };
    const chosen = ['a', 'b', 'gone'].map((name) => ({ uid: `uid-${name}`, name }));
    const result = classify(
      [box({ name: 'a' }), box({ name: 'b', labels: mark }), box({ name: 'old', labels: mark })],
      {
        draft: { ...byTeam, targets: { by: 'selection', sandboxes: chosen } },
      },
    );
    expect(result.targets.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(result.leftOut).toEqual([{ uid: 'uid-gone', name: 'gone', reason: 'gone' }]);
    expect(result.strays).toEqual([{ uid: 'uid-old', name: 'old' }]);
  });

  it('groups by what sandboxes run and what changes, not by what a claim wrote into their metadata', () => {
    const claimed = (name: string, user: string, image = 'a:1') =>
      box({ name, spec: { template: { metadata: { labels: { user } }, ...app(image) } } });
    expect(classify([claimed('a', 'ann'), claimed('b', 'ben'), claimed('c', 'ann', 'a:0')]).groups).toMatchObject([
      { count: 2, sample: 'a', before: { metadata: { labels: { user: 'ann' } } } },
      { count: 1, sample: 'c' },
    ]);
    const relabel = { metadata: { labels: { user: 'ann', tier: 'gold' } } };
    const changed = classify([claimed('a', 'ann'), claimed('b', 'ben')], { patch: relabel });
    expect(changed.groups).toHaveLength(2);
  });

  it('groups by template, whatever the order of its keys', () => {
    const turned = { spec: { containers: [{ image: 'a:1', name: 'app' }] } };
    const sandboxes = [
      box({ name: 'b', spec: { template: turned } }),
      box({ name: 'a' }),
      box({ name: 'c', spec: { template: app('a:0') } }),
    ];
    const { groups, targets } = classify(sandboxes);
    expect(groups).toEqual([
      { key: 'uid-a', count: 2, sample: 'a', before: app('a:1'), after: app('a:2') },
      { key: 'uid-c', count: 1, sample: 'c', before: app('a:0'), after: app('a:2') },
    ]);
    expect(targets.map(({ group }) => group)).toEqual(['uid-a', 'uid-a', 'uid-c']);
  });

  it('says who lacks the runtime, as soon as there is a hook', () => {
    const sandboxes = [
      box({ name: 'a' }),
      box({ name: 'b', spec: { runtimes: [{ name: 'agent-runtime' }] } }),
      box({ name: 'c', spec: { template: { spec: { ...app().spec, initContainers: [{ name: 'runtime' }] } } } }),
    ];
    const without = (draft: ClassifyInput['draft']) =>
      classify(sandboxes, { draft })
        .targets.filter(({ noRuntime }) => noRuntime)
        .map(({ name }) => name);
    expect(without(byTeam)).toEqual([]);
    expect(without({ ...byTeam, postUpgrade: { command: ['x'] } })).toEqual(['a']);
  });

  it('does not choke on what is no sandbox', () => {
    expect(classify([{}, { metadata: { name: 'a' } }, { spec: 3 }]).targets).toEqual([]);
  });
});

describe('an identical retry', () => {
  const lifecycle = { preUpgrade: { exec: { command: ['save'] } } };
  const one = (spec: object = {}) =>
    box({
      name: 'a',
      spec: { template: app('a:2'), upgradePolicy: { type: 'Recreate' }, lifecycle, ...spec },
      status: failed('PreUpgradeFailed'),
    });
  const hook = { ...byTeam, preUpgrade: { command: ['save'] } };
  const isIdentical = (sandbox: object, draft: ClassifyInput['draft'] = hook, change: ClassifyInput['patch'] = patch) =>
    classify([sandbox], { draft, patch: change }).targets[0]?.identicalRetry ?? false;

  it('is one when nothing of the spec would change', () => {
    expect(isIdentical(one())).toBe(true);
    expect(codesOf([one()], { draft: hook })).toContain('identicalRetry stops');
    expect(isIdentical(one(), { ...byTeam, preUpgrade: { command: ['save better'] } })).toBe(false);
    expect(isIdentical(one(), { ...byTeam, preUpgrade: { command: ['save'], timeoutSeconds: 90 } })).toBe(false);
    expect(isIdentical(one(), byTeam)).toBe(false);
    expect(isIdentical(one(), hook, app('a:3'))).toBe(false);
    expect(isIdentical(one({ upgradePolicy: undefined }))).toBe(false);
  });
});
