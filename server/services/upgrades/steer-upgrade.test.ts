import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SteerUpgradeRequest } from '@/lib/contracts/upgrade-writes';
import { realKubeconfig } from '../testing/contract-cluster';
import { type UpgradeWorld, upgradeWorld } from '../testing/upgrade-world';
import { createUpgrade } from './create-upgrade';
import { deleteUpgrade } from './delete-upgrade';
import { setGuard } from './set-guard';
import { steerUpgrade } from './steer-upgrade';
import type { UpgradeContext } from './upgrade-context';

let world: UpgradeWorld;
let ctx: UpgradeContext;
let uid: string;
const name = () => ({ namespace: world.namespace, name: 'up' });

beforeEach(async () => {
  world = await upgradeWorld();
  ctx = world.context();
  const a = await world.sandbox('a');
  const made = await createUpgrade(ctx, { draft: world.draft(), frozen: [a], dryRun: false });
  uid = made.ok ? made.value.object.uid : JSON.stringify(made);
  world.calls.length = 0;
  world.lines.length = 0;
});
afterEach(() => world.close());

const steer = (change: SteerUpgradeRequest['change'], over: Partial<SteerUpgradeRequest> = {}) =>
  steerUpgrade(ctx, name(), { uid, dryRun: false, change, ...over });
const pause = (from: boolean, to: boolean, over = {}) => steer({ what: 'paused', from, to }, over);
const spec = async () =>
  (await world.read('sandboxupdateops', 'up')).spec as { paused?: boolean; updateStrategy: object };
const patches = () => world.calls.filter(({ method }) => method === 'PATCH');

describe('steerUpgrade', () => {
  it('pauses and continues, and shows the line that does the same', async () => {
    const { generation } = (await world.read('sandboxupdateops', 'up')).metadata;
    expect(await pause(false, true, { reason: 'look first' })).toMatchObject({
      ok: true,
      value: {
        action: 'pauseUpgrade',
        changed: true,
        before: false,
        after: true,
        generation: generation + 1,
        kubectl: expect.stringContaining(`kubectl -n ${world.namespace} patch suo/up --type=json -p '[{"op":"test"`),
        patch: [
          { op: 'test', path: '/metadata/uid', value: uid },
          { op: 'test', path: '/metadata/generation', value: generation },
          { op: 'add', path: '/spec/paused', value: true },
        ],
      },
    });
    expect((await spec()).paused).toBe(true);
    expect(await pause(true, false)).toMatchObject({ ok: true, value: { action: 'continueUpgrade' } });
    expect((await spec()).paused).toBe(false);
    expect(world.lines.map((line) => JSON.parse(line))).toMatchObject([
      { key: 'audit.intent', action: 'pauseUpgrade', reason: 'look first', summary: 'paused false → true' },
      { key: 'audit.outcome', result: 'accepted' },
      { action: 'continueUpgrade' },
      { action: 'continueUpgrade', result: 'accepted' },
    ]);
  });

  it('changes how many may be down, to a number or a percentage', async () => {
    expect(await steer({ what: 'maxUnavailable', from: 1, to: '25%' }, { dryRun: true })).toMatchObject({ ok: true });
    expect((await spec()).updateStrategy).toEqual({ type: 'Recreate', maxUnavailable: 1 });
    expect(await steer({ what: 'maxUnavailable', from: 1, to: '25%' })).toMatchObject({
      ok: true,
      value: { action: 'changeUpgradeLimit', before: 1, after: '25%' },
    });
    expect((await spec()).updateStrategy).toEqual({ type: 'Recreate', maxUnavailable: '25%' });
  });

  it('sets a limit where there was no strategy at all', async () => {
    await world.cluster.client.request({
      method: 'PATCH',
      path: `/apis/agents.kruise.io/v1alpha1/namespaces/${world.namespace}/sandboxupdateops/up`,
      contentType: 'application/merge-patch+json',
      body: { spec: { updateStrategy: null } },
    });
    expect(await steer({ what: 'maxUnavailable', to: 3 })).toMatchObject({
      ok: true,
      value: { before: null, after: 3 },
    });
    expect((await spec()).updateStrategy).toMatchObject({ maxUnavailable: 3 });
  });

  it('writes nothing when it already is as asked', async () => {
    await pause(false, true);
    world.calls.length = 0;
    expect(await pause(false, true)).toMatchObject({ ok: true, value: { changed: false } });
    expect(patches()).toEqual([]);
  });

  it('refuses what has moved on, with the present value', async () => {
    await steer({ what: 'maxUnavailable', from: 1, to: 5 });
    expect(await steer({ what: 'maxUnavailable', from: 1, to: 2 })).toMatchObject({
      problem: {
        code: 'conflict',
        reason: 'settingChanged',
        applied: 'no',
        values: { now: '5', seen: '1', manager: 'agents-console' },
        fields: [{ field: 'spec.updateStrategy.maxUnavailable', message: '5' }],
      },
    });
  });

  it('refuses another object of the name, one that is going, and one that is over', async () => {
    expect(await pause(false, true, { uid: 'other' })).toMatchObject({
      problem: { code: 'precondition_failed', reason: 'objectReplaced', values: { kind: 'SandboxUpdateOps' } },
    });
    await world.reach('up', 'Failed');
    expect(await pause(false, true)).toMatchObject({
      problem: { reason: 'upgradeOver', values: { upgrade: 'up', phase: 'Failed' } },
    });
    await world.patch('sandboxupdateops', 'up', {
      metadata: { finalizers: ['agents.kruise.io/sandboxupdateops-protection'] },
    });
    expect(await deleteUpgrade(ctx, name(), { uid, dryRun: false })).toMatchObject({ ok: true });
    expect(await pause(false, true)).toMatchObject({ problem: { reason: 'objectDeleting' } });
    await world.patch('sandboxupdateops', 'up', { metadata: { finalizers: [] } });
    expect(await pause(false, true)).toMatchObject({ problem: { code: 'not_found' } });
  });

  it.skipIf(realKubeconfig)('is not lost to status writes, and loses no change of the spec', async () => {
    let raced = 0;
    world.cluster.setFault?.(({ method, url }) => {
      if (method !== 'PATCH' || !url.includes('fieldManager=agents-console') || raced > 0) return undefined;
      raced += 1;
      return {
        status: 422,
        body: {
          kind: 'Status',
          code: 422,
          reason: 'Invalid',
          message: 'the server rejected our request due to an error in our request',
          details: {},
        },
      };
    });
    expect(await pause(false, true)).toMatchObject({ ok: true, value: { changed: true } });
    expect(patches()).toHaveLength(2);
  });

  it('needs the right to patch operations', async () => {
    const viewer = world.context({ principal: { subject: 'vera', groups: [], impersonate: true } });
    expect(
      await steerUpgrade(viewer, name(), { uid, dryRun: false, change: { what: 'paused', from: false, to: true } }),
    ).toMatchObject({ problem: { code: 'forbidden', missing: { verb: 'patch', resource: 'sandboxupdateops' } } });
    expect(await deleteUpgrade(viewer, name(), { uid, dryRun: false })).toMatchObject({
      problem: { code: 'forbidden', missing: { verb: 'delete', resource: 'sandboxupdateops' } },
    });
    expect(await setGuard(viewer, name(), { uid, limits: { failures: 1 } })).toMatchObject({
      problem: { code: 'forbidden', missing: { verb: 'patch' } },
    });
  });
});

describe('deleteUpgrade', () => {
  it('deletes the one that was seen and no other', async () => {
    expect(await deleteUpgrade(ctx, name(), { uid: 'other', dryRun: false })).toMatchObject({
      problem: { code: 'precondition_failed' },
    });
    expect(await deleteUpgrade(ctx, name(), { uid, dryRun: true })).toMatchObject({
      ok: true,
      value: { dryRun: true },
    });
    expect(await world.read('sandboxupdateops', 'up')).toBeDefined();
    expect(await deleteUpgrade(ctx, name(), { uid, dryRun: false, reason: 'wrong image' })).toMatchObject({
      ok: true,
      value: {
        action: 'deleteUpgrade',
        changed: true,
        after: null,
        kubectl: `kubectl -n ${world.namespace} delete suo/up`,
      },
    });
    await expect(world.read('sandboxupdateops', 'up')).rejects.toThrow('not found');
    expect(world.calls.at(-1)).toMatchObject({ method: 'DELETE', body: { preconditions: { uid } } });
  });
});

describe('setGuard', () => {
  it('sets, changes and takes away', async () => {
    expect(await setGuard(ctx, name(), { uid, limits: { failures: 2 } })).toMatchObject({
      ok: true,
      value: { guard: { limits: { failures: 2 }, state: 'armed', setBy: 'mara' } },
    });
    expect(await setGuard(ctx, name(), { uid, limits: { ratePercent: 10 } })).toMatchObject({
      value: { guard: { limits: { ratePercent: 10 } } },
    });
    expect(await setGuard(ctx, name(), { uid, limits: null })).toEqual({ ok: true, value: { guard: null } });
    expect(await setGuard(ctx, name(), { uid: 'other', limits: { failures: 1 } })).toMatchObject({
      problem: { reason: 'objectReplaced' },
    });
  });

  it('is refused for an operation that is over, and while the database is away', async () => {
    const { use } = world.history;
    world.history.use = () => Promise.reject(Object.assign(new Error('locked'), { name: 'HistoryUnavailable' }));
    expect(await setGuard(ctx, name(), { uid, limits: { failures: 1 } })).toMatchObject({
      problem: { code: 'history_unavailable' },
    });
    world.history.use = use;
    await world.reach('up', 'Completed');
    expect(await setGuard(ctx, name(), { uid, limits: { failures: 1 } })).toMatchObject({
      problem: { reason: 'upgradeOver' },
    });
  });
});
