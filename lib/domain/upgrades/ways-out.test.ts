import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { ChosenSandbox } from '@/lib/contracts/upgrades';
import { now, sandbox, upgrade } from '../rows.testing';
import { leftoversOf } from './leftovers';
import { upgradeView } from './view';
import { deletionConsequences, waysOut } from './ways-out';

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
      { kind: 'rollBack', changed: 26 },
    ]);
  });

  it('the limit is never raised above the total', () => {
    expect(waysOut(view({ total: 4, failed: 3, updating: 0, maxUnavailable: 3 }))[0]).toEqual({
      kind: 'raiseLimit',
      to: 4,
      stands: 1,
    });
  });

  it('what is none has none', () => {
    expect(waysOut(view({ total: 4, failed: 1, updating: 1, maxUnavailable: 2 }))).toEqual([]);
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
  ];
  const fates = deletionConsequences(upgradeView(upgrade(), [], rows, now).sandboxes);
  expect(Object.entries(fates).map(([fate, list]) => `${fate}: ${namesOf(list)}`)).toEqual([
    'finished: done',
    'inFlight: flies,hook',
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
    ['nothing', {}, []],
  ])('%s', (_, fields, kinds) => {
    expect(kindsOf(sandbox(fields))).toEqual(kinds);
  });

  it('what an operation at work has set is none', () => {
    expect(kindsOf(sandbox({ policy, op: 'up' }), [upgrade()])).toEqual([]);
    expect(kindsOf(sandbox({ policy, op: 'up' }), [upgrade({ ns: 'elsewhere' })])).toEqual(['upgradePolicy']);
  });
});
