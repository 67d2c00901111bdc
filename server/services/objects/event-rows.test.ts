import { describe, expect, it } from 'vitest';
import { eventRows } from './event-rows';

const created = {
  metadata: { uid: 'e1', creationTimestamp: '2026-11-29T22:43:35Z' },
  involvedObject: { kind: 'SandboxSet', uid: 'set' },
  type: 'Normal',
  reason: 'SandboxCreated',
  message: 'Sandbox rec-57/web-cz56t created',
  count: 3,
  eventTime: null,
  firstTimestamp: '2026-11-29T22:43:35Z',
  lastTimestamp: '2026-11-29T22:43:39Z',
  reportingComponent: 'sandboxset-controller',
  source: { component: 'sandboxset-controller' },
};
const scheduled = {
  metadata: { uid: 'e2', creationTimestamp: '2026-11-29T22:43:35Z' },
  involvedObject: { kind: 'Pod', uid: 'pod' },
  type: 'Normal',
  reason: 'Scheduled',
  message: 'Successfully assigned rec-57/web-kgvzc to node-a',
  eventTime: '2026-11-29T22:43:36.869681Z',
  firstTimestamp: null,
  lastTimestamp: null,
  reportingComponent: 'default-scheduler',
  source: {},
};
const combined = {
  ...created,
  metadata: { uid: 'e3', creationTimestamp: '2026-11-29T22:43:36Z' },
  message: '(combined from similar events): Sandbox rec-57/web-b45j5 created',
  lastTimestamp: '2026-11-29T22:44:00Z',
  reportingComponent: '',
};
const body = { kind: 'EventList', items: [created, scheduled, combined, { odd: true }] };

describe('eventRows', () => {
  it('reads events of both ages, newest first, with who sent them', () => {
    const rows = eventRows(body, () => true);
    expect(rows.map((r) => r.uid)).toEqual(['e3', 'e1', 'e2']);
    expect(rows[2]).toEqual({
      uid: 'e2',
      at: Date.parse('2026-11-29T22:43:36.869Z'),
      first: Date.parse('2026-11-29T22:43:36.869Z'),
      count: 1,
      type: 'Normal',
      reason: 'Scheduled',
      message: 'Successfully assigned rec-57/web-kgvzc to node-a',
      from: 'default-scheduler',
    });
    expect(rows[0]).toMatchObject({ from: 'sandboxset-controller', count: 3 });
  });

  it('puts what happened within one second the last made first, then the repeated, then as the API server lists', () => {
    const at = (uid: string, more: object = {}) => ({
      ...created,
      count: 1,
      ...more,
      metadata: { ...created.metadata, uid },
    });
    const items = [
      at('running'),
      { ...at('late'), metadata: { uid: 'late', creationTimestamp: '2026-11-29T22:43:38Z' } },
      at('failed', { count: 5 }),
      at('upgrading'),
    ];
    expect(eventRows({ ...body, items }, () => true).map((r) => r.uid)).toEqual([
      'late',
      'failed',
      'upgrading',
      'running',
    ]);
  });

  it('takes only what is about the object', () => {
    expect(eventRows(body, (about) => about.uid === 'pod').map((r) => r.uid)).toEqual(['e2']);
  });
});
