import { describe, expect, it } from 'vitest';
import { sandboxClaimSchema } from '../../controllers/client/objects';
import { label } from '../../controllers/rules/keys';
import { compareLives } from './compare';
import { edited, fileOf, found, sandboxes } from './edited';
import { judge } from './known-differences';
import { livesOf } from './lives';
import { loadRecording, type Seen } from './recording';
import type { Difference } from './types';

describe('between a recording and a copy of it', () => {
  it('nothing differs', () => {
    expect(found('pause-resume-stop', (events) => events)).toEqual([]);
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

  it.each<[what: string, name: string, change: (events: Seen[]) => Seen[], expected: Partial<Difference>]>([
    [
      'a phase',
      'pause-resume-hibernate',
      (events) =>
        sandboxes(events, ({ status }) => {
          if (status?.phase === 'Paused') status.phase = 'Recycling';
        }),
      { object: 'sandboxes solo', fact: 'life' },
    ],
    [
      'the message of a condition',
      'hook-timeout-and-unreachable',
      (events) =>
        sandboxes(events, ({ status }) => {
          for (const one of status?.conditions ?? []) if (one.type === 'Upgrading') one.message = 'something else';
        }),
      { fact: 'life' },
    ],
    [
      'a label',
      'claim-and-refill',
      (events) =>
        sandboxes(events, ({ metadata: { labels } }) => {
          if (labels?.[label.claimed] === 'true') labels[label.claimName] = 'another';
        }),
      { object: 'sandboxes web-*', fact: 'life' },
    ],
    [
      'an owner',
      'pool-create',
      (events) => {
        for (const { kind, object } of events) if (kind === 'pods') delete object.metadata.ownerReferences;
        return events;
      },
      { object: 'pods web-*', fact: 'life' },
    ],
    [
      'the owner of a template',
      'pool-create',
      (events) => {
        for (const { kind, object } of events) if (kind === 'sandboxtemplates') delete object.metadata.ownerReferences;
        return events;
      },
      { object: 'sandboxtemplates web-rev1', fact: 'life' },
    ],
    [
      'where a sandbox ran last',
      'pause-resume-stop',
      (events) =>
        sandboxes(events, ({ status }) => {
          if (status?.phase === 'Paused') delete status.podInfo;
        }),
      { object: 'sandboxes solo', fact: 'life' },
    ],
    [
      'the Pod that a resumed sandbox names',
      'pause-resume-hibernate',
      (events) => {
        let first: string | undefined;
        return sandboxes(events, ({ status }) => {
          first ??= status?.podInfo?.podUID;
          if (status?.podInfo?.podUID !== undefined) status.podInfo.podUID = first;
        });
      },
      { object: 'sandboxes solo', fact: 'life' },
    ],
    [
      'a generation that is not observed',
      'resume-stuck-digest-init-container',
      (events) =>
        sandboxes(events, ({ status }) => {
          if (status?.phase === 'Resuming') status.observedGeneration = 1;
        }),
      { object: 'sandboxes pinned', fact: 'observed' },
    ],
    [
      'the start of a claim',
      'claim-and-refill',
      (events) =>
        edited(events, 'sandboxclaims', sandboxClaimSchema, ({ status }) => {
          delete status?.claimStartTime;
        }),
      { object: 'sandboxclaims job-1', fact: 'life' },
    ],
    [
      'the text of an event',
      'pause-resume-hibernate',
      (events) => {
        for (const { object } of events) if (object.message === 'Pause sandbox') object.message = 'Pausing sandbox';
        return events;
      },
      {
        fact: 'events sandbox',
        recorded: ['Normal SandboxPaused: Pause sandbox'],
        seen: ['Normal SandboxPaused: Pausing sandbox'],
      },
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
    expect(found('pool-create', later, { at: 999, quiet: 999 })).toEqual([]);
    expect(found('pool-create', later, { at: 1001, quiet: 1001 })).not.toEqual([]);
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
