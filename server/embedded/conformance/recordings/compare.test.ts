import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { label } from '../../controllers/rules/keys';
import { compareLives } from './compare';
import { judge } from './known-differences';
import { livesOf } from './lives';
import { loadRecording, type Seen } from './recording';
import type { Difference } from './types';

const fileOf = (name: string): string => path.join(import.meta.dirname, '../../../testing/recordings', `${name}.jsonl`);

type Fields = Record<string, never>;

/** What the comparison finds between a recording and a copy of it that was changed. */
function found(name: string, change: (events: Seen[]) => unknown, end?: number): Difference[] {
  const { events, namespace } = loadRecording(fileOf(name));
  const copy = structuredClone(events);
  const result = change(copy);
  const changed = Array.isArray(result) ? (result as Seen[]) : copy;
  return compareLives(name, livesOf(events, namespace), livesOf(changed, namespace, end));
}

const sandboxAt = (events: Seen[], phase: string): Seen & { object: { status: Fields; metadata: Fields } } =>
  events.find(
    ({ kind, object }) => kind === 'sandboxes' && (object as { status?: Fields }).status?.phase === phase,
  ) as never;

describe('between a recording and a copy of it', () => {
  it('nothing differs', () => {
    expect(found('pause-resume-stop', () => undefined)).toEqual([]);
  });

  it('other names, uids, hashes, times and addresses are the same', () => {
    const { events, namespace } = loadRecording(fileOf('claim-and-refill'));
    const other = JSON.stringify(events)
      .replace(/web-6tlkx/g, 'web-zzzzz')
      .replace(/785886bcd9/g, '5f5f5f5f5f')
      .replace(/2b685902-83cd-4072-b630-8bb64a39e544/g, '00000000-83cd-4072-b630-8bb64a39e544')
      .replace(/127\.10\.0\.27/g, '10.244.1.7')
      .replace(/2026-11-29T22:30:32Z/g, '2027-01-01T00:00:00Z');
    const seen = JSON.parse(other) as Seen[];
    expect(compareLives('', livesOf(events, namespace), livesOf(seen, namespace))).toEqual([]);
  });

  it.each<[what: string, name: string, change: (events: Seen[]) => unknown, expected: Partial<Difference>]>([
    [
      'a phase',
      'pause-resume-hibernate',
      (events) => Object.assign(sandboxAt(events, 'Paused').object.status, { phase: 'Recycling' }),
      { object: 'sandboxes solo', fact: 'life' },
    ],
    [
      'the message of a condition',
      'hook-timeout-and-unreachable',
      (events) => {
        const { conditions } = sandboxAt(events, 'Upgrading').object.status as unknown as {
          conditions: { type: string; message: string }[];
        };
        for (const one of conditions) if (one.type === 'Upgrading') one.message = 'something else';
      },
      { fact: 'life' },
    ],
    [
      'a label',
      'claim-and-refill',
      (events) => {
        const claimed = events.findLast(({ object }) => object.metadata.labels?.[label.claimed] === 'true');
        Object.assign(claimed?.object.metadata.labels ?? {}, { [label.claimName]: 'another' });
      },
      { object: 'sandboxes web-*', fact: 'life' },
    ],
    [
      'an owner',
      'pool-create',
      (events) => {
        for (const { kind, object } of events) if (kind === 'pods') delete object.metadata.ownerReferences;
      },
      { object: 'pods web-*', fact: 'life' },
    ],
    [
      'the text of an event',
      'pause-resume-hibernate',
      (events) => {
        for (const { object } of events) if (object.message === 'Pause sandbox') object.message = 'Pausing sandbox';
      },
      {
        fact: 'events sandbox',
        recorded: ['Normal SandboxPaused: Pause sandbox'],
        seen: ['Normal SandboxPaused: Pausing sandbox'],
      },
    ],
    [
      'how low a pool fell',
      'rollout-default-20-percent',
      (events) => {
        for (const { kind, object } of events) {
          const { status } = object as { status?: { availableReplicas?: number } };
          if (kind === 'sandboxsets' && status?.availableReplicas === 4) status.availableReplicas = 3;
        }
      },
      { object: 'sandboxsets web', fact: 'count availableReplicas of generation 2', seen: ['lowest 3'] },
    ],
  ])('%s that differs is found', (_what, name, change, expected) => {
    expect(found(name, change)).toContainEqual(expect.objectContaining(expected));
  });

  it('the order of two facts counts', () => {
    const swapped = found('pause-resume-hibernate', (events) => {
      const at = events.findIndex(
        ({ kind, object }) => kind === 'sandboxes' && object.metadata.finalizers !== undefined,
      );
      const next = events.findIndex((event, i) => i > at && event.kind === 'sandboxes');
      const [one, other] = [events[at], events[next]];
      if (one !== undefined && other !== undefined) Object.assign(events, { [at]: other, [next]: one });
      return events;
    });
    expect(swapped).toContainEqual(expect.objectContaining({ object: 'sandboxes solo', fact: 'life' }));
  });

  it('an object that is missing, or too many, is found', () => {
    const without = (kind: string) => (events: Seen[]) => {
      const uid = events.find((event) => event.kind === kind)?.object.metadata.uid;
      return events.filter(({ object }) => object.metadata.uid !== uid);
    };
    expect(found('pool-create', without('sandboxes'))).toContainEqual(
      expect.objectContaining({ object: 'sandboxes web-*', seen: [] }),
    );
    expect(found('pool-create', without('pods'))).toContainEqual(
      expect.objectContaining({ object: 'pods web-*', seen: [] }),
    );
  });

  it('what came after the end of the recording is not held against a run', () => {
    const later = (events: Seen[]): Seen[] => {
      const last = events.findLast(({ kind }) => kind === 'sandboxes');
      if (last === undefined) return events;
      const labels = { ...last.object.metadata.labels, late: 'yes' };
      return [
        ...events,
        { ...last, t: 1000, object: { ...last.object, metadata: { ...last.object.metadata, labels } } },
      ];
    };
    expect(found('pool-create', later, 999)).toEqual([]);
    expect(found('pool-create', later, 1001)).not.toEqual([]);
  });
});

describe('the list of known differences', () => {
  const difference = { recording: 'a', object: 'pods web-*', fact: 'life', recorded: ['gone'], seen: [] };
  const listed = { recording: 'a', object: 'pods web-*', fact: 'life', reason: 'why' };

  it('gives a difference its reason, once', () => {
    const { differences, unused } = judge([difference, difference], [listed]);
    expect(differences).toEqual([{ ...difference, reason: 'why' }, difference]);
    expect(unused).toEqual([]);
  });

  it('says which of its lines are not needed', () => {
    expect(judge([], [listed])).toEqual({ differences: [], unused: ['a: pods web-*: life'] });
  });
});
