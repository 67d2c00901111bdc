import { describe, expect, it } from 'vitest';
import { standardLimits } from '@/lib/domain/limits';
import { ago as agoMs, member, pool } from '../../rows.testing';
import { ago, event, now } from '../objects.testing';
import { diagnosePool } from './diagnose-pool';
import type { PoolInput } from './scene';

const prefix = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet' };
const members = (count: number, fields: Parameters<typeof member>[0] = {}) =>
  Array.from({ length: count }, () => member(fields));
const creating = (seconds: number, fields: Parameters<typeof member>[0] = {}) =>
  member({ state: 'Creating', phase: 'Pending', since: agoMs(seconds), sinceFrom: 'created', ...fields });

const input = (change: Partial<PoolInput> = {}): PoolInput => ({
  pool: pool(),
  members: members(3),
  now,
  limits: standardLimits,
  ...change,
});
const codes = (change: Partial<PoolInput> = {}): string[] => {
  const { cause, hints } = diagnosePool(input(change));
  return [...(cause ? [cause.code] : []), ...hints.map(({ code }) => code)];
};
const object = (status: object) => ({ ...prefix, metadata: { name: 'web', namespace: 'agents', uid: 'pool' }, status });
const pulling = { cause: { code: 'ImagePull' as const, detail: 'main: ErrImagePull' } };

describe('each trap of a pool, and what is nearest to it', () => {
  it('a full pool raises nothing', () => {
    expect(codes()).toEqual([]);
  });

  it.each<[string, Partial<PoolInput>, Partial<PoolInput>]>([
    [
      'PoolShort',
      { members: [...members(1), creating(400), creating(400)] },
      { members: [...members(1), creating(20), creating(20)] },
    ],
    [
      'PoolThrottled',
      { pool: pool({ scaleMax: 1 }), members: [member(), creating(400, pulling)] },
      { pool: pool({ scaleMax: 1 }), members: [member(), creating(20)] },
    ],
    [
      'PoolRolloutBlocked',
      { pool: pool({ updateMax: 0 }), members: members(3, { hash: 'old' }) },
      { pool: pool({ updateMax: 0 }) },
    ],
    [
      'PoolRolloutStarved',
      { members: [...members(2, { hash: 'old' }), creating(20, pulling)] },
      { members: [...members(2, { hash: 'old' }), creating(20)] },
    ],
    [
      'PoolBelowBudget',
      { members: [member({ hash: 'old' }), creating(5), creating(5)] },
      { members: [...members(2, { hash: 'old' }), creating(5)] },
    ],
    [
      'PoolLocked',
      { members: [...members(2), member({ locked: true, since: agoMs(400), sinceFrom: 'observed' })] },
      { members: [...members(2), member({ locked: true, since: agoMs(1), sinceFrom: 'observed' })] },
    ],
    [
      'PoolSurplus',
      { pool: pool({ replicas: 3 }), members: members(4, { since: agoMs(60) }) },
      { pool: pool({ replicas: 3 }), members: members(4, { since: agoMs(2) }) },
    ],
    ['PoolNotSeen', { pool: pool({ gen: 5, scaledAt: agoMs(60) }) }, {}],
    ['PoolNoTemplate', { pool: pool({ noTemplate: true }) }, {}],
    ['PoolNameTooLong', { pool: pool({ name: 'w'.repeat(64) }) }, { pool: pool({ name: 'w'.repeat(63) }) }],
    ['PoolTemplateMissing', { pool: pool({ templateRef: 't' }), template: null }, { pool: pool({ templateRef: 't' }) }],
    [
      'PoolNameTwice',
      { pools: [pool(), pool({ ns: 'other' })] },
      { pools: [pool(), pool({ ns: 'other', name: 'api' })] },
    ],
    ['PoolWouldStrand', { members: [...members(2), member({ strands: true })] }, {}],
    ['PoolMayStrand', { pool: pool({ digestPinned: ['agent-runtime'] }) }, {}],
    [
      'PoolMayStrand',
      { members: members(3, { pinned: true, imageFrom: 'injection' }) },
      { members: members(3, { pinned: true }) },
    ],
    [
      'PoolScalingLimited',
      {
        object: object({ conditions: [{ type: 'ScalingLimited', status: 'True', reason: 'StartupBudgetExhausted' }] }),
      },
      { object: object({ conditions: [{ type: 'ScalingLimited', status: 'False' }] }) },
    ],
  ])('%s', (code, wrong, right) => {
    expect(codes(wrong)).toContain(code);
    expect(codes(right)).not.toContain(code);
  });

  it('a pool that is being deleted is asked nothing', () => {
    expect(codes({ pool: pool({ deleting: agoMs(9), noTemplate: true }), members: [] })).toEqual([]);
  });
});

it('a spec that was just written is on its way, and a fault once it was ignored for long', () => {
  const kind = (seconds: number) =>
    diagnosePool(input({ pool: pool({ gen: 5, scaledAt: agoMs(seconds) }) })).cause?.kind;
  expect([kind(5), kind(60)]).toEqual(['wait', 'fault']);
});

it('a shortage says what holds its members, and which one to look at', () => {
  const { cause, severity } = diagnosePool(
    input({
      members: [member(), creating(400, { name: 'web-bad', ...pulling })],
      events: [event('CreateSandboxFailed', 'no')],
    }),
  );
  expect(severity).toBe('breach');
  expect(cause?.evidence).toEqual(
    expect.arrayContaining([
      { path: 'members: ImagePull', value: '1' },
      { path: 'Sandbox web-bad', value: 'main: ErrImagePull' },
      { path: 'Event CreateSandboxFailed', value: 'no' },
    ]),
  );
  expect(cause?.steps[0]).toMatchObject({ code: 'RemoveBroken', values: { sandbox: 'web-bad', cause: 'ImagePull' } });
});

it('a template that has changed shows by the images of Pods that count as up to date', () => {
  const template = (image: string) => ({
    metadata: { name: 't', namespace: 'agents', uid: 't' },
    spec: { template: { spec: { containers: [{ name: 'main', image }] } } },
  });
  const pod = {
    metadata: { name: 'web-1', namespace: 'agents', uid: 'p', creationTimestamp: ago(9) },
    spec: { containers: [{ name: 'main', image: 'code:v1' }] },
  };
  const change = { pool: pool({ templateRef: 't' }), members: [member({ name: 'web-1' })], pods: [pod] };
  expect(codes({ ...change, template: template('code:v2') })).toContain('PoolTemplateNotRolled');
  expect(codes({ ...change, template: template('code:v1') })).not.toContain('PoolTemplateNotRolled');
});

it('a claim during a rollout lowers the pool, and nobody changed its template twice', () => {
  const taken = member({ idle: undefined, claimed: true, state: 'Running', claimedAt: agoMs(5) });
  const rest = [member({ hash: 'old' }), creating(5), creating(5)];
  expect(codes({ members: rest })).toContain('PoolBelowBudget');
  expect(codes({ members: [...rest, taken] })).not.toContain('PoolBelowBudget');
});

describe('an edit of the template', () => {
  const ownedBy = (uid: string) => [
    { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', name: 'web', uid, controller: true },
  ];
  const specWith = (container: object) => ({
    template: { spec: { containers: [{ name: 'main', image: 'a', ...container }] } },
  });
  const set = (container: object) => ({ ...object({}), spec: specWith(container) });
  const older = (container: object, uid = pool().uid) => ({
    metadata: {
      name: 'web-older',
      namespace: 'agents',
      uid: 't',
      creationTimestamp: ago(60),
      ownerReferences: ownedBy(uid),
    },
    spec: specWith(container),
  });
  const full = { env: [{ name: 'MODE', value: 'dev' }], resources: { limits: { cpu: '1' } } };

  it('that wiped all fields of a container shows beside the template of the revision before', () => {
    expect(codes({ object: set({}), templates: [older(full)] })).toEqual(['PoolContainerWiped']);
    // Something is left, it never had any, the template is of another pool, nobody looked.
    expect(codes({ object: set({ env: full.env }), templates: [older(full)] })).toEqual([]);
    expect(codes({ object: set({}), templates: [older({})] })).toEqual([]);
    expect(codes({ object: set({}), templates: [older(full, 'other')] })).toEqual([]);
    expect(codes({ object: set({}) })).toEqual([]);
  });

  it('whose token was turned off shows where the file that was applied is kept', () => {
    const off = (applied: boolean) => {
      const kept = JSON.stringify({ spec: { template: { spec: { automountServiceAccountToken: applied } } } });
      const { metadata } = object({});
      return {
        ...object({}),
        metadata: { ...metadata, annotations: { 'kubectl.kubernetes.io/last-applied-configuration': kept } },
        spec: { template: { spec: { automountServiceAccountToken: false, containers: [] } } },
      };
    };
    expect(codes({ object: off(true) })).toEqual(['PoolTokenForced']);
    expect(codes({ object: off(false) })).toEqual([]);
  });
});

it('a pool that was scaled up may take a minute and a half before its first new sandbox', () => {
  const scaled = (seconds: number) =>
    codes({
      pool: pool({ desired: 6, scaledAt: agoMs(seconds), belowSince: agoMs(seconds) }),
      members: members(3),
    });
  expect(scaled(75)).toEqual([]);
  expect(scaled(95)).toEqual(['PoolShort']);
});

it.each([
  ['its own template', 'RetagPool', { pool: pool({ digestPinned: ['runtime'] }), members: members(3) }],
  [
    'a SandboxTemplate',
    'RetagPoolTemplate',
    { pool: pool({ templateRef: 't', digestPinned: ['runtime'] }), members: members(3) },
  ],
  ['the controller', 'RetagInjection', { members: members(3, { pinned: true, imageFrom: 'injection' }) }],
] as const)('a pinned image is mended where it is named: %s', (_, code, change) => {
  const hint = diagnosePool(input(change)).hints.find((each) => each.code === 'PoolMayStrand');
  expect(hint?.steps.map((step) => step.code)).toEqual([code]);
});
