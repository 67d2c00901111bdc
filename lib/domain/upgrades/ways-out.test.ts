import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { ChosenSandbox } from '@/lib/contracts/upgrades';
import { now, sandbox, upgrade } from '../rows.testing';
import { failureGroups } from './failure-groups';
import { hangingByNamespace, leftoversOf } from './leftovers';
import { upgradeView } from './view';
import { commonFailure, deletionConsequences, waysOut } from './ways-out';

const at = (stage: string, fields: Partial<SandboxRow> = {}) =>
  sandbox({ op: 'up', state: 'Upgrading', phase: 'Upgrading', stage, ...fields });
const namesOf = (list: ChosenSandbox[]) => list.map(({ name }) => name).join();

describe('a deadlock', () => {
  const view = (fields: Parameters<typeof upgrade>[0]) => upgradeView(upgrade(fields), [upgrade(fields)], [], now);

  it('has its ways out, the safest first', () => {
    expect(waysOut(view({ total: 40, updated: 22, failed: 4, updating: 0, maxUnavailable: '10%' }))).toEqual([
      { kind: 'raiseLimit', to: 8, stands: 4 },
      { kind: 'fixFailed', failed: 4 },
      { kind: 'endOperation', waiting: 14 },
      { kind: 'rollBack', changed: 26, kept: 0 },
    ]);
  });

  it('the limit is never raised above the total', () => {
    expect(waysOut(view({ total: 4, failed: 3, updating: 0, maxUnavailable: 3 }))[0]).toEqual({
      kind: 'raiseLimit',
      to: 4,
      stands: 1,
    });
  });

  it('a Pod that is refused takes its slot like a failure, and nothing from outside helps it', () => {
    const cause = { code: 'PodCreateFailed' as const, detail: 'Pod "a" is invalid: spec.containers: Required value' };
    const op = upgrade({ total: 6, updating: 2, maxUnavailable: 2 });
    const refused = upgradeView(op, [op], [at('UpgradePod', { cause }), at('UpgradePod', { cause })], now);
    expect(refused).toMatchObject({ phase: 'Deadlocked', refused: 2, waiting: 4, concerns: [] });
    const groups = failureGroups(op, refused.sandboxes, now);
    expect(commonFailure(refused, groups)).toBe(groups[0]);
    expect(waysOut(refused, groups)).toEqual([
      { kind: 'raiseLimit', to: 4, stands: 2 },
      { kind: 'endOperation', waiting: 4 },
      { kind: 'rollBack', changed: 2, kept: 0 },
    ]);
  });

  it('tells those whose Pod a roll back leaves alone', () => {
    const op = upgrade({ total: 6, failed: 2, maxUnavailable: 2 });
    const rows = [at('PreUpgradeFailed', { message: 'exit 3' }), at('PostUpgradeFailed', { message: 'exit 3' })];
    const stopped = upgradeView(op, [op], rows, now);
    const groups = failureGroups(op, stopped.sandboxes, now);
    expect(waysOut(stopped, groups).at(-1)).toEqual({ kind: 'rollBack', changed: 2, kept: 1 });
    const rebuilt = failureGroups(op, stopped.sandboxes, now, new Set([rows[0]?.uid ?? '']));
    expect(waysOut(stopped, rebuilt).at(-1)).toEqual({ kind: 'rollBack', changed: 2, kept: 0 });
  });

  it('what is none has none', () => {
    expect(waysOut(view({ total: 4, failed: 1, updating: 1, maxUnavailable: 2 }))).toEqual([]);
  });
});

describe('failures that a higher limit would repeat', () => {
  const pull = 'container app: ErrImagePull - registry.local/bad:v2: not found';
  const backOff = 'container app: ImagePullBackOff - Back-off pulling image "registry.local/bad:v2"';
  const commonOf = (rows: SandboxRow[], failed = rows.length) => {
    const op = upgrade({ total: 9, failed, maxUnavailable: failed });
    const view = upgradeView(op, [op], rows, now);
    return commonFailure(view, failureGroups(op, view.sandboxes, now))?.reason;
  };
  const failing = (message: string, stage = 'UpgradePodFailed') => at(stage, { message });

  it.each<[string, SandboxRow[], string | undefined]>([
    ['one bad image, told in turns', [failing(pull), failing(backOff)], 'UpgradePodFailed'],
    ['one bad image, once', [failing(pull)], 'UpgradePodFailed'],
    [
      'one hook, twice',
      [failing('exit 3', 'PreUpgradeFailed'), failing('exit 3', 'PreUpgradeFailed')],
      'PreUpgradeFailed',
    ],
    ['one hook, once: it may be this sandbox', [failing('exit 3', 'PreUpgradeFailed')], undefined],
    ['two causes', [failing(pull), failing('exit 3', 'PreUpgradeFailed')], undefined],
    ['one that only waits beside them', [failing(pull), at('UpgradePod')], 'UpgradePodFailed'],
    ['none', [], undefined],
  ])('%s', (_, rows, reason) => {
    expect(commonOf(rows, rows.filter(({ stage }) => stage?.endsWith('Failed')).length)).toBe(reason);
  });

  it('is not said while not all failed ones are known', () => {
    expect(commonOf([failing(pull), failing(pull)], 3)).toBeUndefined();
  });
});

it('says what becomes of each sandbox when the operation is deleted', () => {
  const rows = [
    sandbox({ op: 'up', name: 'done', upgraded: true }),
    at('UpgradePod', { name: 'flies' }),
    at('Resuming', { name: 'wakes' }),
    at('ResumeSucceed', { name: 'woken' }),
    at('PostUpgradeFailed', { name: 'failed' }),
    sandbox({ op: 'up', name: 'hook', gen: 3, obs: 2 }),
    sandbox({ op: 'up', name: 'touched', gen: 3, obs: 3, policy: 'Recreate' }),
    at('UpgradePod', { name: 'wrong', cause: { code: 'PodCreateFailed', detail: 'Pod "wrong" is invalid: spec' } }),
    at('UpgradePod', { name: 'homeless', cause: { code: 'Unschedulable', detail: '0/3 nodes are available' } }),
  ];
  const fates = deletionConsequences({}, upgradeView(upgrade(), [], rows, now).sandboxes, now);
  expect(Object.entries(fates).map(([fate, list]) => `${fate}: ${namesOf(list)}`)).toEqual([
    'finished: done',
    'inFlight: flies,hook',
    'refused: wrong',
    'heldUp: homeless',
    'resuming: wakes',
    'resumed: woken',
    'failed: failed',
    'touched: touched',
  ]);
});

describe('leftovers', () => {
  const policy = 'Recreate';
  const kindsOf = (row: SandboxRow, ops = [upgrade({ phase: 'Completed' })]) => leftoversOf([row], ops)[0]?.kinds ?? [];

  it.each<[string, Partial<SandboxRow>, string[]]>([
    ['a policy without an operation', { policy }, ['upgradePolicy']],
    ['a policy of one that is over', { policy, op: 'up' }, ['upgradePolicy']],
    ['a policy of one that is gone', { policy, op: 'gone' }, ['upgradePolicy']],
    ['a policy that is needed to get to the end', { policy, state: 'Upgrading', stage: 'UpgradePod' }, []],
    ['a failure that is over', { upFailed: true, upgraded: true, op: 'up' }, ['failedLabel']],
    ['a failure that lasts', { upFailed: true, state: 'Upgrading', stage: 'PreUpgradeFailed', op: 'up' }, []],
    ['both', { policy, upFailed: true }, ['upgradePolicy', 'failedLabel']],
    ['one that is being deleted', { policy, deleting: now }, []],
    ['hooks that came with the policy of one that is gone', { policy, hooks: true }, ['upgradePolicy', 'hooks']],
    ['hooks that may be its own', { hooks: true }, []],
    ['hooks set since one that had none', { hooks: true, op: 'up' }, []],
    ['nothing', {}, []],
  ])('%s', (_, fields, kinds) => {
    expect(kindsOf(sandbox(fields))).toEqual(kinds);
  });

  it('hooks stay when success has cleared the policy, and are needed as long as the upgrade goes on', () => {
    const ops = [upgrade({ phase: 'Completed', hooks: ['preUpgrade'] })];
    expect(kindsOf(sandbox({ hooks: true, op: 'up', upgraded: true }), ops)).toEqual(['hooks']);
    expect(kindsOf(at('PostUpgradeFailed', { hooks: true }), ops)).toEqual([]);
  });

  it('what an operation at work has set is none', () => {
    expect(kindsOf(sandbox({ policy, op: 'up' }), [upgrade()])).toEqual([]);
    expect(kindsOf(sandbox({ policy, op: 'up' }), [upgrade({ ns: 'elsewhere' })])).toEqual(['upgradePolicy']);
  });
});

it('finds those that a deleted operation left in the middle of an upgrade, where nothing goes on by itself', () => {
  const rows = [
    at('PreUpgradeFailed', { name: 'failed', op: undefined }),
    at('UpgradePod', {
      name: 'held',
      op: 'gone',
      cause: { code: 'PodCreateFailed', detail: 'Pod "held" is invalid: x' },
    }),
    at('UpgradePod', { name: 'on-its-way', op: undefined }),
    at('Resuming', { name: 'digest', op: undefined, cause: { code: 'InitImageMismatch', never: true } }),
    at('PostUpgradeFailed', { name: 'of-one-that-is-there', op: 'up' }),
    sandbox({ name: 'healthy', upFailed: true }),
  ];
  const hanging = hangingByNamespace(rows, [upgrade({ phase: 'Failed' })], now);
  expect([...hanging].map(([ns, list]) => [ns, list.map(({ name }) => name)])).toEqual([
    ['agents', ['failed', 'held']],
  ]);
});
