import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { follow } from './follow';
import type { Sight, Stay } from './stay';

const t = 1_800_000_000_000;

const sight = (over: Partial<SandboxRow>, more: Partial<Sight> = {}): Sight => ({
  row: { uid: 'a', ns: 'lab', name: 'a', phase: '', state: 'Running', sinceFrom: 'unknown', ...over },
  pod: undefined,
  live: true,
  now: t,
  watched: t,
  ...more,
});

/** A stay that was seen to begin some seconds ago, and so did its state. */
function running(seconds: number): Stay {
  const { open } = follow(undefined, sight({}, { now: t - seconds * 1_000 }));
  return open;
}

const edge = ({ open, ended }: ReturnType<typeof follow>) => ({
  from: open.from === undefined ? undefined : open.from - t,
  source: open.fromSource,
  to: ended?.end && ended.end.at - t,
  torn: ended?.end?.torn,
});

describe('the edge of a state that is seen to begin', () => {
  it.each<[string, Partial<SandboxRow>, object]>([
    ['is the time of its condition', { since: t - 700, sinceFrom: 'condition' }, { from: -700, source: 'condition' }],
    ['is when it was seen, when nothing times it', {}, { from: 0, source: 'observed' }],
    [
      'is when it was seen, when the condition is of an earlier time than the state before it',
      { since: t - 60_000, sinceFrom: 'condition' },
      { from: 0, source: 'observed' },
    ],
    [
      'is not before the state before it, which whole seconds would have it',
      { since: t - 10_600, sinceFrom: 'condition' },
      { from: -10_000, source: 'condition' },
    ],
    [
      'is not ahead of the clock by what whole seconds and clocks as good as one may differ',
      { since: t + 900, sinceFrom: 'condition' },
      { from: 0, source: 'condition' },
    ],
    [
      'is when it was seen, when the condition is of a time to come',
      { since: t + 5_000, sinceFrom: 'condition' },
      { from: 0, source: 'observed' },
    ],
    [
      'is when it was seen, when that is what the row says',
      { since: t - 3_000, sinceFrom: 'observed' },
      { from: 0, source: 'observed' },
    ],
  ])('%s', (_what, row, expected) => {
    const told = edge(follow(running(10), sight({ state: 'Paused', ...row })));
    expect(told).toMatchObject(expected);
    expect(told).toMatchObject({ to: told.from, torn: false });
  });
});

describe('the edge of a state that a list shows', () => {
  const listed = (row: Partial<SandboxRow>) =>
    edge(follow(running(60), sight({ state: 'Paused', ...row }, { live: false, watched: t - 20_000 })));

  it('is the time of its condition; when the state before it ended, nobody knows', () => {
    expect(listed({ since: t - 5_000, sinceFrom: 'condition' })).toEqual({
      from: -5_000,
      source: 'condition',
      to: -20_000,
      torn: true,
    });
  });

  it.each<[string, Partial<SandboxRow>]>([
    ['nothing times it', {}],
    ['the console took the list for its start', { since: t, sinceFrom: 'observed' }],
    [
      'the condition is of a time when it was still watched, in another state',
      { since: t - 30_000, sinceFrom: 'condition' },
    ],
  ])('is unknown when %s', (_what, row) => {
    expect(listed(row)).toEqual({ from: undefined, source: 'unknown', to: -20_000, torn: true });
  });
});

it('what a sandbox was in at the first list goes back as far as its condition says, its gate as far as its Pod says', () => {
  const row = { state: 'Resuming' as const, gate: 'InitImages', since: t - 600_000, sinceFrom: 'condition' as const };
  const pod = { uid: 'p', ns: 'lab', name: 'a', phase: 'Running', restarts: 0, startedAt: t - 590_000 };
  const { open } = follow(undefined, sight(row, { live: false, pod }));
  expect(open).toMatchObject({ from: t - 590_000, fromSource: 'condition', stateFrom: t - 600_000 });
  const blind = follow(undefined, sight({ ...row, gate: 'OldPodGone' }, { live: false, pod })).open;
  expect(blind).toMatchObject({ from: undefined, fromSource: 'unknown', stateFrom: t - 600_000 });
});

it('is the same stay while nothing is new', () => {
  const before = running(10);
  expect(follow(before, sight({})).open).toBe(before);
  expect(follow(before, sight({}, { live: false })).open).toBe(before);
});

it('a new stage begins when it was seen, whatever the times of the Pod', () => {
  const before = follow(running(10), sight({ state: 'Upgrading', stage: 'PreUpgrade' }, { now: t - 5_000 })).open;
  const pod = { uid: 'p', ns: 'lab', name: 'a', phase: 'Pending', restarts: 0, scheduledAt: t - 3_000 };
  const next = sight({ state: 'Upgrading', stage: 'UpgradePod', gate: 'PodRunning' }, { pod });
  expect(follow(before, next).open).toMatchObject({
    from: t,
    fromSource: 'observed',
    stageFrom: t,
    stateFrom: t - 5_000,
  });
  const listed = follow(before, { ...next, live: false, watched: t - 4_000 }).open;
  expect(listed).toMatchObject({ from: undefined, stageFrom: undefined, stateFrom: t - 5_000 });
});
