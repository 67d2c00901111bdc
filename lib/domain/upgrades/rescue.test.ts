import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { upgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import { now, sandbox, upgrade } from '../rows.testing';
import { failureGroups } from './failure-groups';
import { nextName, readOperation, rollBackDraft } from './operation-reading';
import { nextSteps } from './rescue';
import { upgradeView } from './view';

const patch = { spec: { containers: [{ name: 'app', image: 'a:2' }] } };
const object = {
  metadata: { name: 'up', namespace: 'agents' },
  spec: {
    patch,
    updateStrategy: { maxUnavailable: '10%' },
    lifecycle: {
      preUpgrade: { exec: { command: ['save'] }, timeoutSeconds: 30 },
      postUpgrade: { exec: { command: ['restore'] } },
    },
  },
};
const operation = readOperation(object);
const at = (stage: string, fields: Partial<SandboxRow> = {}) =>
  sandbox({ op: 'up', state: 'Upgrading', phase: 'Upgrading', stage, ...fields });
const groupsOf = (rows: SandboxRow[], op = upgrade(), rebuilt?: Set<string>) =>
  failureGroups(op, upgradeView(op, [op], rows, now).sandboxes, now, rebuilt);

/** What each step is and what it would send: kind, what to correct, change, hooks. */
function stepsOf(rows: SandboxRow[], op = upgrade(), rebuilt?: Set<string>) {
  if (!operation) throw new Error('no operation');
  return groupsOf(rows, op, rebuilt).map((group) =>
    nextSteps(operation, group).map(({ kind, correct, draft }) => [
      kind,
      correct.join(),
      draft?.change?.by,
      [draft?.preUpgrade && 'pre', draft?.postUpgrade && 'post'].filter(Boolean).join(),
    ]),
  );
}

describe('groups', () => {
  it('are of one reason and one message, failed ones first, then the largest', () => {
    const message = 'hook failed with exit code 3';
    const rows = [
      at('UpgradePod', { name: 'w', cause: { code: 'Unschedulable', detail: 'no node' } }),
      at('UpgradePodFailed', { name: 'p', message: 'container app: ErrImagePull' }),
      at('PreUpgradeFailed', { name: 'b', message }),
      at('PreUpgradeFailed', { name: 'a', message }),
      at('UpgradePod', { name: 'works' }),
      sandbox({ op: 'up', name: 'done', upgraded: true }),
    ];
    expect(
      groupsOf(rows).map(({ reason, failed, cause, message: text, rebuilt, sandboxes }) => ({
        reason,
        failed,
        cause,
        text,
        rebuilt,
        names: sandboxes.map(({ name }) => name),
      })),
    ).toEqual([
      { reason: 'PreUpgradeFailed', failed: true, cause: undefined, text: message, rebuilt: false, names: ['a', 'b'] },
      {
        reason: 'UpgradePodFailed',
        failed: true,
        cause: undefined,
        text: 'container app: ErrImagePull',
        rebuilt: true,
        names: ['p'],
      },
      { reason: 'UpgradePod', failed: false, cause: 'Unschedulable', text: 'no node', rebuilt: true, names: ['w'] },
    ]);
  });
});

describe('a group of failures', () => {
  const keysOf = (...messages: string[]) =>
    groupsOf(messages.map((message, index) => at('UpgradePodFailed', { name: `p-${index}`, message }))).map(
      ({ key }) => key,
    );

  it('stays the same while the kubelet tells the failure and the wait after it in turns', () => {
    const failure = 'container app: ErrImagePull - failed to resolve code:bad';
    const wait = 'container app: ImagePullBackOff - Back-off pulling image "code:bad"';
    expect(keysOf(failure)).toEqual(keysOf(wait));
    expect(keysOf(failure, wait)).toHaveLength(1);
    expect(
      keysOf(failure, 'container app: CrashLoopBackOff - back-off 10s', 'container sidecar: ErrImagePull'),
    ).toHaveLength(3);
  });
});

describe('next steps', () => {
  it('a hook that failed before: correct it, or give it up', () => {
    expect(stepsOf([at('PreUpgradeFailed')])).toEqual([
      [
        ['correctPreUpgrade', 'preUpgrade', 'patch', 'pre,post'],
        ['withoutPreUpgrade', '', 'patch', 'post'],
      ],
    ]);
  });

  it('the same after the Pod was replaced: there is nothing left to save', () => {
    const row = at('PreUpgradeFailed');
    expect(stepsOf([row], upgrade(), new Set([row.uid]))).toEqual([[['withoutPreUpgrade', '', 'patch', 'post']]]);
  });

  it('a Pod that does not start: clear away why, or correct the patch without saving again', () => {
    expect(stepsOf([at('UpgradePodFailed')])).toEqual([
      [
        ['fixPod', '', undefined, ''],
        ['correctPatch', 'patch', 'patch', 'post'],
      ],
    ]);
  });

  it('a hook that failed afterwards: nothing but that hook', () => {
    expect(stepsOf([at('PostUpgradeFailed')])).toEqual([[['postUpgradeOnly', 'postUpgrade', 'none', 'post']]]);
  });

  it('a checkpoint that failed, or that nobody makes', () => {
    const rows = [at('CheckpointFailed'), at('Checkpointing', { cause: { code: 'CheckpointPending' } })];
    const recreate = ['recreate', '', 'patch', 'post'];
    expect(stepsOf(rows)).toEqual([
      // Something wrote that it failed.
      [['readCheckpoint', '', undefined, ''], recreate],
      [['installCheckpoints', '', undefined, ''], recreate],
    ]);
  });

  it('a checkpoint takes its time before it holds anything up', () => {
    const begun = (at: number) => ({
      cause: { code: 'CheckpointPending' as const },
      steps: [['Checkpointing', at] as [string, number]],
    });
    expect(stepsOf([at('Checkpointing', begun(now - 5_000))])).toEqual([]);
    expect(stepsOf([at('Checkpointing', begun(now - 90_000))])).toHaveLength(1);
  });

  it.each([
    ['invalid', 'Pod "box-1" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "conf"'],
    ['unreadable', 'Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression'],
  ])('a Pod that is %s can never be made: the patch is corrected for these', (_, detail) => {
    expect(stepsOf([at('UpgradePod', { cause: { code: 'PodCreateFailed', detail } })])).toEqual([
      [['correctPod', 'patch', 'patch', 'post']],
    ]);
  });

  it('a Pod for which there is no room may come: waiting and another patch both help', () => {
    const detail = 'pods "box-1" is forbidden: exceeded quota: pods, requested: pods=1, used: pods=2, limited: pods=2';
    expect(stepsOf([at('UpgradePod', { cause: { code: 'PodCreateFailed', detail } })])).toEqual([
      [
        ['fixPod', '', undefined, ''],
        ['correctPatch', 'patch', 'patch', 'post'],
      ],
    ]);
  });

  it.each([
    ['failed', at('UpgradePodFailed', { message: 'container app: ErrImagePull - a:3: not found' })],
    ['held up in an init container', at('UpgradePod', { cause: { code: 'ImagePull', detail: 'a:3' } })],
  ])('an image that does not come, %s: another image, or this one to be had', (_, row) => {
    expect(stepsOf([row])).toEqual([
      [
        ['otherImage', 'patch', 'patch', 'post'],
        ['provideImage', '', undefined, ''],
      ],
    ]);
  });

  it('what the operation before left is not told of the one that has it now', () => {
    expect(groupsOf([at('PreUpgradeFailed', { gen: 3, obs: 2, message: 'exit 3' })])).toEqual([]);
    const cause = { code: 'PodCreateFailed' as const, detail: 'Pod "a" is invalid: spec' };
    expect(groupsOf([at('UpgradePod', { gen: 3, obs: 2, cause })])).toEqual([]);
  });

  it.each<[string, SandboxRow, string]>([
    [
      'a digest that can never match',
      at('Resuming', { cause: { code: 'InitImageMismatch', never: true } }),
      'replaceDigest',
    ],
    ['woken by a paused operation', at('ResumeSucceed'), 'continueOperation'],
  ])('%s', (_, row, kind) => {
    expect(stepsOf([row], upgrade({ paused: true }))[0]?.map(([first]) => first)).toEqual([kind]);
  });

  it('drafts are such as the server takes, for these sandboxes alone, under another name', () => {
    const row = at('PreUpgradeFailed', { name: 'a' });
    const [group] = groupsOf([row]);
    const steps = operation && group ? nextSteps(operation, group) : [];
    for (const { draft } of steps) expect(upgradePreviewRequest.parse(draft)).toEqual(draft);
    expect(steps[0]?.draft).toMatchObject({
      name: 'up-2',
      namespace: 'agents',
      targets: { by: 'selection', sandboxes: [{ uid: row.uid, name: 'a' }] },
      change: { by: 'patch', patch },
      maxUnavailable: '10%',
      preUpgrade: { command: ['save'], timeoutSeconds: 30 },
    });
  });

  it('a roll back restores what was there, without the hooks of the way there', () => {
    const sandboxes = [{ uid: '1', name: 'a' }];
    const draft = operation && rollBackDraft(operation, 'up-uid', { key: 'g', sandboxes });
    expect(upgradePreviewRequest.parse(draft)).toMatchObject({
      targets: { by: 'selection', sandboxes },
      change: { by: 'restore', operation: { uid: 'up-uid', name: 'up' }, group: 'g' },
    });
    expect(draft).not.toHaveProperty('preUpgrade');
    expect(draft).not.toHaveProperty('postUpgrade');
  });

  it.each([
    ['up', 'up-2'],
    ['up-2', 'up-3'],
    ['web-2026', 'web-2027'],
    ['a'.repeat(63), `${'a'.repeat(61)}-2`],
  ])('%s is followed by %s', (name, next) => {
    expect(nextName(name)).toBe(next);
  });

  it('reads an operation of any shape', () => {
    expect(readOperation({})).toBeUndefined();
    expect(readOperation({ metadata: { name: 'a', namespace: 'n' }, spec: { patch: 'text', lifecycle: 3 } })).toEqual({
      name: 'a',
      namespace: 'n',
      states: ['Running'],
      strategy: 'Recreate',
      maxUnavailable: 1,
    });
  });
});
