import { describe, expect, it } from 'vitest';
import { deadlineOf, nextThing } from './deadlines';
import { sandbox } from './rows.testing';

const now = Date.UTC(2026, 10, 30, 3, 7, 5);
const minute = 60_000;
const year = 365.25 * 24 * 60 * minute;

describe('nextThing', () => {
  it('is the nearer of the two timers', () => {
    const row = { state: 'Running' as const, pauseAt: now + 12 * minute, shutdownAt: now + 60 * minute };
    expect(nextThing(row, now)).toEqual({ kind: 'pause', at: now + 12 * minute });
    expect(nextThing({ ...row, shutdownAt: now + minute }, now)).toEqual({ kind: 'shutdown', at: now + minute });
  });

  it('is nothing without timers', () => {
    expect(nextThing({ state: 'Running' }, now)).toBeUndefined();
  });

  it('skips the pause of what is already to be paused, and during an upgrade', () => {
    const timers = { pauseAt: now + minute, shutdownAt: now + 9 * minute };
    expect(nextThing({ state: 'Paused', paused: true, ...timers }, now)?.kind).toBe('shutdown');
    expect(nextThing({ state: 'Upgrading', ...timers }, now)?.kind).toBe('shutdown');
  });

  it('has passed, never negative: expired, or a pause that is due', () => {
    expect(nextThing({ state: 'Resuming', shutdownAt: now - 2 * minute }, now)?.kind).toBe('expired');
    expect(nextThing({ state: 'Running', shutdownAt: now }, now)?.kind).toBe('expired');
    expect(nextThing({ state: 'Running', pauseAt: now - minute, shutdownAt: now + year }, now)?.kind).toBe('pauseDue');
  });

  it('takes a hundred years for no limit', () => {
    expect(nextThing({ state: 'Paused', paused: true, shutdownAt: now + 100 * year }, now)).toBeUndefined();
    expect(deadlineOf(now + 100 * year, now)).toBe('none');
    expect(deadlineOf(now + year, now)).toBe(now + year);
    expect(deadlineOf(undefined, now)).toBeUndefined();
  });

  it('is nothing where the controller no longer looks at the timers', () => {
    const shutdownAt = now + minute;
    expect(nextThing({ state: 'Failed', shutdownAt }, now)).toBeUndefined();
    expect(nextThing(sandbox({ state: 'Failed', reserved: true, shutdownAt }), now)).toBeUndefined();
    expect(nextThing({ state: 'Succeeded', shutdownAt }, now)).toBeUndefined();
    expect(nextThing({ state: 'Terminating', shutdownAt }, now)).toBeUndefined();
    expect(nextThing({ state: 'Recycling', shutdownAt }, now)).toBeUndefined();
    expect(nextThing({ state: 'Recycling', cause: { code: 'RecycleFailed' }, shutdownAt }, now)?.kind).toBe('shutdown');
  });
});
