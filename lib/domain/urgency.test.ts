import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { standardLimits } from '@/lib/domain/limits';
import { isInProgress, longerOf, urgencyOf } from './urgency';

const now = Date.UTC(2026, 10, 30, 3, 7, 5);
const since = (seconds: number) => ({ ns: 'agents', since: now - seconds * 1000, sinceFrom: 'condition' as const });
type Row = Pick<SandboxRow, 'ns' | 'state' | 'since' | 'sinceFrom'>;

describe('urgencyOf', () => {
  it('orders by severity, then by how far along its own limits a row is', () => {
    const rows: Record<string, Row> = {
      running: { state: 'Running', ...since(90_000) },
      creating: { state: 'Creating', ...since(41) },
      pausing: { state: 'Pausing', ...since(22) },
      resumingLate: { state: 'Resuming', ...since(48) },
      resumingRed: { state: 'Resuming', ...since(848) },
      upgradingCalm: { state: 'Upgrading', ...since(590) },
    };
    const order = Object.entries(rows)
      .map(([name, row]) => ({ name, value: urgencyOf(row, now, standardLimits) ?? -1 }))
      .sort((a, b) => b.value - a.value)
      .map(({ name }) => name);
    expect(order).toEqual(['resumingRed', 'resumingLate', 'upgradingCalm', 'creating', 'pausing', 'running']);
  });

  it('has no value where nothing limits the state, or where its start is unknown', () => {
    expect(urgencyOf({ state: 'Paused', ...since(5) }, now, standardLimits)).toBeUndefined();
    expect(urgencyOf({ ns: 'agents', state: 'Resuming', sinceFrom: 'unknown' }, now, standardLimits)).toBeUndefined();
  });

  it('puts what never converges among the overdue without waiting for the clock', () => {
    const never = { code: 'InitImageMismatch' as const, never: true as const };
    const value = urgencyOf({ state: 'Resuming', ...since(3), cause: never }, now, standardLimits) ?? 0;
    expect(value).toBeGreaterThan(urgencyOf({ state: 'Resuming', ...since(100) }, now, standardLimits) ?? 0);
  });
});

describe('longerOf', () => {
  it('tells the red at once apart by their dwell, whatever the time', () => {
    const failed = (seconds: number): Row & Pick<SandboxRow, 'stage'> => ({
      state: 'Upgrading',
      stage: 'PreUpgradeFailed',
      ...since(seconds),
    });
    expect(urgencyOf(failed(57), now, standardLimits)).toBe(urgencyOf(failed(434), now, standardLimits));
    expect(longerOf(failed(434))).toBeGreaterThan(longerOf(failed(57)) ?? 0);
    expect(longerOf({})).toBeUndefined();
  });
});

describe('isInProgress', () => {
  it('is a limited state within its limit', () => {
    expect(isInProgress({ state: 'Resuming', ...since(9) }, now, standardLimits)).toBe(true);
    expect(isInProgress({ state: 'Resuming', ...since(31) }, now, standardLimits)).toBe(false);
    expect(isInProgress({ state: 'Running', ...since(9) }, now, standardLimits)).toBe(false);
  });
});
