import { describe, expect, it } from 'vitest';
import type { UpgradeRow } from '@/lib/contracts/rows';
import { ago, now, sandbox, upgrade } from '../../rows.testing';
import { event } from '../objects.testing';
import { diagnoseOperation, type OperationInput } from './diagnose-operation';

const op = (fields: Partial<UpgradeRow> = {}) =>
  upgrade({
    total: 4,
    updated: 1,
    updating: 1,
    failed: 0,
    maxUnavailable: 1,
    created: ago(600),
    changedAt: ago(5),
    ...fields,
  });
const input = (change: Partial<OperationInput> = {}): OperationInput => {
  const of = change.op ?? op();
  return { op: of, rows: [], operations: [of], now, ...change };
};
const verdict = (change: Partial<OperationInput> = {}) => diagnoseOperation(input(change));
const other = upgrade({ name: 'first', uid: 'first', phase: 'Updating' });
const beside = (fields: Partial<UpgradeRow>): Partial<OperationInput> => {
  const of = op(fields);
  return { op: of, operations: [other, of] };
};
const running = sandbox({ op: 'up', gen: 2, obs: 2 });
const failedBefore = sandbox({
  op: 'up',
  state: 'Upgrading',
  phase: 'Upgrading',
  stage: 'PreUpgradeFailed',
  since: ago(700),
});

describe('each trap of an operation, and what is nearest to it', () => {
  it('one that moves raises nothing', () => {
    expect(verdict().cause).toBeUndefined();
  });

  it.each<[string, Partial<OperationInput>, Partial<OperationInput>]>([
    [
      'OperationDeadlocked',
      { op: op({ updating: 0, failed: 1 }) },
      { op: op({ updating: 0, failed: 1, maxUnavailable: 2 }) },
    ],
    ['OperationWaits', beside({ phase: '', taken: false }), { op: op({ phase: '', created: ago(2) }) }],
    [
      'OperationNotTaken',
      { op: op({ phase: '', taken: false }) },
      { op: op({ phase: '', taken: false, created: ago(3) }) },
    ],
    [
      'OperationDeletionWaits',
      beside({ phase: 'Completed', deleting: ago(60) }),
      { op: op({ phase: 'Completed', deleting: ago(60) }) },
    ],
    [
      'OperationPatchFails',
      { op: op({ updated: 0, updating: 0 }), events: [event('PatchFailed', 'cannot merge')] },
      { op: op({ updated: 0, updating: 1 }), events: [event('PatchFailed', 'cannot merge')] },
    ],
    [
      'OperationNeverEnds',
      { op: op({ hasPatch: false }), rows: [running] },
      { op: op({ hasPatch: false }), rows: [{ ...running, state: 'Upgrading' }] },
    ],
    ['OperationQuiet', { op: op({ changedAt: ago(1200) }) }, { op: op({ changedAt: ago(60) }) }],
    [
      'OperationRetryFailed',
      { op: op({ phase: 'Failed', created: ago(60), changedAt: ago(59) }), rows: [failedBefore] },
      // It took a while to fail: its own hook ran.
      { op: op({ phase: 'Failed', created: ago(60), changedAt: ago(40) }), rows: [failedBefore] },
    ],
    [
      'OperationFailures',
      { op: op({ phase: 'Failed', created: ago(800), changedAt: ago(600) }), rows: [failedBefore] },
      { op: op({ phase: 'Completed' }), rows: [] },
    ],
  ])('%s', (code, wrong, right) => {
    expect(verdict(wrong).cause?.code).toBe(code);
    expect(verdict(right).cause?.code).not.toBe(code);
  });
});

it('one that failed, and whose sandbox recovered later by itself, had nothing old to count', () => {
  const recovered = sandbox({ op: 'up', upgraded: true, upFailed: true, policy: 'Recreate' });
  expect(verdict({ op: op({ phase: 'Failed', changedAt: ago(500) }), rows: [recovered] }).cause).toBeUndefined();
  // Its own hook may fail at once, and somebody mend what it left.
  const atOnce = op({ phase: 'Failed', created: ago(60), changedAt: ago(59) });
  expect(verdict({ op: atOnce, rows: [recovered] }).cause).toBeUndefined();
});

it('being deleted wins over the phase, and what it was at does not matter any more', () => {
  const deleted = op({ hasPatch: false, deleting: ago(60) });
  expect(verdict({ op: deleted, rows: [running] })).toMatchObject({ state: 'Terminating', dwellMs: 60_000 });
  expect(verdict({ op: deleted, rows: [running] }).cause?.code).toBe('FinalizerHeld');
  expect(verdict({ op: deleted }).severity).toBe('calm');
  expect(verdict({ op: op({ deleting: ago(3600) }) }).severity).toBe('warn');
});

it('the limit that ends a deadlock leaves as many slots as it had', () => {
  const { cause, severity } = verdict({ op: op({ updating: 0, failed: 2, maxUnavailable: 2 }) });
  expect(severity).toBe('breach');
  expect(cause?.steps[0]).toMatchObject({ code: 'RaiseLimit', values: { to: '4' } });
  expect(cause?.steps[0]?.kubectl[0]).toContain('/spec/updateStrategy/maxUnavailable');
});

it('a phase of a newer version is unknown', () => {
  expect(verdict({ op: op({ phase: 'RollingBack' }) }).unknown).toEqual([
    { path: 'SandboxUpdateOps status.phase', value: 'RollingBack' },
  ]);
});
