import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { sandboxSetSchema, sandboxUpdateOpsSchema } from '../../controllers/client/objects';
import { edited, found } from './edited';
import type { Difference } from './types';

/** How the numbers differ when each status is edited or left out. */
const ofPool = (name: string, edit: (status: Pool) => unknown): Difference[] =>
  found(name, (events) =>
    edited(events, 'sandboxsets', sandboxSetSchema, ({ status }) => (status === undefined ? undefined : edit(status))),
  ).filter(({ fact }) => fact === 'counts');
const ofUpdate = (name: string, edit: (status: Update) => unknown): Difference[] =>
  found(name, (events) =>
    edited(events, 'sandboxupdateops', sandboxUpdateOpsSchema, ({ status }) =>
      status === undefined ? undefined : edit(status),
    ),
  ).filter(({ fact }) => fact === 'counts');
type Pool = NonNullable<z.infer<typeof sandboxSetSchema>['status']>;
type Update = NonNullable<z.infer<typeof sandboxUpdateOpsSchema>['status']>;

/** Writes another number where one is. */
const replace =
  <K extends string>(field: K, from: number, to: number) =>
  (status: { [key in K]?: number | undefined }): void => {
    if (status[field] === from) status[field] = to;
  };

describe('the numbers of a pool', () => {
  it('may move by several members at once', () => {
    // Recorded: 3, then 16, then 18 of 18 available.
    const between = ({ availableReplicas = 0 }: Pool) => [3, 16].includes(availableReplicas);
    expect(ofPool('pool-create-18', (status) => (between(status) ? 'left out' : undefined))).toEqual([]);
  });

  it.each<[what: string, name: string, edit: (status: Pool) => unknown]>([
    ['rise too high', 'scale-down', replace('replicas', 6, 7)],
    ['go the wrong way for a moment', 'pool-create-18', replace('availableReplicas', 16, 1)],
    ['miss a stop on the way', 'scale-down', ({ replicas }) => (replicas === 3 ? 'left out' : undefined)],
    ['belong together otherwise', 'claim-and-refill', replace('availableReplicas', 2, 1)],
    ['fall too low in a rolling update', 'rollout-default-20-percent', replace('availableReplicas', 4, 3)],
    ['count more as updated than it has', 'rollout-default-20-percent', replace('updatedReplicas', 4, 7)],
    ['grow beyond scaleStrategy.maxUnavailable', 'scale-up-with-maxunavailable', replace('replicas', 7, 10)],
    ['be counted for another generation', 'scale-down', replace('observedGeneration', 2, 1)],
  ])('must not %s', (_what, name, edit) => {
    expect(ofPool(name, edit)).not.toEqual([]);
  });

  it('may keep either of two older counts of updated ones while it is scaled, and no other', () => {
    const scaled = ({ replicas, availableReplicas }: Pool) => replicas === 4 && availableReplicas === 4;
    const counted = (updatedAvailableReplicas: number) =>
      ofPool('rollout-default-20-percent', (status) => {
        if (scaled(status) && status.updatedReplicas === 4) Object.assign(status, { updatedAvailableReplicas });
      });
    // Recorded: 4 of the status before, 2 of the one before that, which is what it kept.
    expect(counted(4)).toEqual([]);
    expect(counted(3)).not.toEqual([]);
  });
});

describe('the numbers of an update', () => {
  it('may show or not that one is counted back for a moment', () => {
    // Recorded: 1, 0, 1 within 30 ms.
    const setback = ({ updatedReplicas, updatingReplicas }: Update) => updatedReplicas === 0 && updatingReplicas === 2;
    expect(ofUpdate('update-deleted-midway', (status) => (setback(status) ? 'left out' : undefined))).toEqual([]);
  });

  it('may fail two at once or one after the other, where two are let', () => {
    const one = ({ updatingReplicas }: Update) => updatingReplicas === 1;
    expect(ofUpdate('update-fails-bad-image', (status) => (one(status) ? 'left out' : undefined))).toEqual([]);
  });

  it.each<[what: string, name: string, edit: (status: Update) => unknown]>([
    ['stay behind', 'update-deleted-midway', replace('updatedReplicas', 1, 0)],
    ['have two at a time where one is let', 'update-recreate-success', replace('updatingReplicas', 1, 2)],
    [
      'leave one out',
      'update-recreate-success',
      ({ updatedReplicas }) => (updatedReplicas === 2 ? 'left out' : undefined),
    ],
    ['fail fewer than failed', 'update-fails-bad-image', replace('failedReplicas', 2, 1)],
    [
      'belong to another phase',
      'update-recreate-success',
      (status) => {
        if (status.updatedReplicas === 4) status.phase = 'Failed';
      },
    ],
  ])('must not %s', (_what, name, edit) => {
    expect(ofUpdate(name, edit)).not.toEqual([]);
  });
});
