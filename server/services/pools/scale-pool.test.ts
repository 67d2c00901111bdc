import { describe, expect, it } from 'vitest';
import type { ScalePoolRequest } from '@/lib/contracts/writes';
import { httpError, KubeError } from '@/server/kube/errors';
import { fakeCluster, storedPool, timeout } from '../testing/fake-cluster';
import { recordedRefusal } from '../testing/recorded';
import { scalePool } from './scale-pool';

const pool = { namespace: 'lab', name: 'web' };
const ask = (over: Partial<ScalePoolRequest> = {}): ScalePoolRequest => ({
  uid: 'u-1',
  from: 3,
  to: 12,
  dryRun: false,
  ...over,
});
const patches = (world: ReturnType<typeof fakeCluster>['world']) => world.calls.filter((c) => c.method === 'PATCH');

describe('scalePool', () => {
  it('sends one merge patch of spec.replicas to the scale subresource, and nothing else', async () => {
    const { ctx, world } = fakeCluster();
    world.warnings = ['careful'];
    const result = await scalePool(ctx, pool, ask({ reason: 'demo' }));
    expect(patches(world)).toEqual([
      {
        method: 'PATCH',
        path: '/apis/agents.kruise.io/v1alpha1/namespaces/lab/sandboxsets/web/scale',
        query: { fieldManager: 'agents-console' },
        contentType: 'application/merge-patch+json',
        body: { spec: { replicas: 12 } },
        as: ctx.principal,
      },
    ]);
    expect(world.pool?.spec.replicas).toBe(12);
    expect(result).toMatchObject({
      ok: true,
      value: {
        at: 1_000_000,
        actor: 'mara',
        action: 'scalePool',
        object: { kind: 'SandboxSet', namespace: 'lab', name: 'web', uid: 'u-1' },
        changed: true,
        dryRun: false,
        before: 3,
        after: 12,
        resourceVersion: '101',
        kubectl: 'kubectl -n lab scale sbs/web --current-replicas=3 --replicas=12',
        warnings: ['careful'],
      },
    });
    expect(world.lines).toMatchObject([
      { key: 'audit.intent', actor: 'mara', before: { replicas: 3 }, after: { replicas: 12 }, reason: 'demo' },
      { key: 'audit.outcome', result: 'accepted', requestId: 'req-00001', resourceVersion: '101' },
    ]);
    expect(ctx.audit.recent()).toMatchObject([{ summary: '3 → 12', result: 'accepted', actor: 'mara' }]);
  });

  it('scales to zero with a number, and reads the empty answer as zero', async () => {
    const { ctx, world } = fakeCluster();
    expect(await scalePool(ctx, pool, ask({ to: 0 }))).toMatchObject({ ok: true, value: { after: 0, changed: true } });
    expect(patches(world)[0]?.body).toEqual({ spec: { replicas: 0 } });
    expect(await scalePool(ctx, pool, ask({ from: 0, to: 2 }))).toMatchObject({ ok: true, value: { before: 0 } });
  });

  it('writes nothing when the pool already is as asked', async () => {
    const { ctx, world } = fakeCluster(storedPool({ replicas: 12 }));
    expect(await scalePool(ctx, pool, ask())).toMatchObject({
      ok: true,
      value: { changed: false, before: 12, after: 12, resourceVersion: '100' },
    });
    expect(patches(world)).toEqual([]);
    expect(ctx.audit.recent()).toMatchObject([{ result: 'unchanged' }]);
  });

  it('asks the server without changing anything, and leaves no audit line, on a dry run', async () => {
    const { ctx, world } = fakeCluster();
    expect(await scalePool(ctx, pool, ask({ dryRun: true }))).toMatchObject({
      ok: true,
      value: { dryRun: true, changed: true, after: 12, resourceVersion: '100' },
    });
    expect(patches(world)[0]?.query).toEqual({ fieldManager: 'agents-console', dryRun: 'All' });
    expect(world.pool?.spec.replicas).toBe(3);
    expect(world.lines).toEqual([]);
  });

  it('sends nothing for a person without the right, and names verb and subresource', async () => {
    const { ctx, world } = fakeCluster();
    world.allows = (right) => right.subresource !== 'scale';
    const result = await scalePool(ctx, pool, ask());
    expect(result).toMatchObject({
      ok: false,
      problem: {
        code: 'forbidden',
        status: 403,
        applied: 'no',
        missing: { verb: 'patch', group: 'agents.kruise.io', resource: 'sandboxsets/scale', namespace: 'lab' },
      },
    });
    expect(world.calls).toEqual([]);
    expect(ctx.audit.recent()).toMatchObject([{ result: 'refused' }]);
  });

  it('keeps the API server’s words on a 403, and asks for the right anew afterwards', async () => {
    const { ctx, world } = fakeCluster();
    world.onPatch = () => {
      throw httpError(403, { kind: 'Status', code: 403, message: 'cannot patch resource "sandboxsets/scale"' });
    };
    expect(await scalePool(ctx, pool, ask())).toMatchObject({
      problem: {
        code: 'forbidden',
        message: 'cannot patch resource "sandboxsets/scale"',
        missing: { verb: 'patch', resource: 'sandboxsets/scale', namespace: 'lab' },
      },
    });
    world.allows = () => false;
    world.onPatch = () => undefined;
    await scalePool(ctx, pool, ask());
    expect(patches(world)).toHaveLength(1);
  });

  it('refuses a number that has moved on, with the present one and who changed it', async () => {
    const moved = storedPool({ replicas: 5 });
    moved.metadata.managedFields = [
      { manager: 'kubectl', time: '2026-11-30T10:00:00Z', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    ];
    const { ctx, world } = fakeCluster(moved);
    expect(await scalePool(ctx, pool, ask())).toMatchObject({
      ok: false,
      problem: {
        code: 'conflict',
        applied: 'no',
        message: 'Pool web has 5 replicas now, not 3: changed by kubectl at 2026-11-30T10:00:00Z',
        reason: 'replicasChanged',
        values: { pool: 'web', now: 5, seen: 3, manager: 'kubectl', at: '2026-11-30T10:00:00Z' },
        fields: [{ field: 'spec.replicas', message: '5' }],
      },
    });
    expect(patches(world)).toEqual([]);
    expect(ctx.audit.recent()).toMatchObject([{ result: 'refused', reason: 'replicasChanged', values: { now: 5 } }]);
  });

  it('refuses another object of the same name, one that is being deleted, and one that is gone', async () => {
    const other = fakeCluster();
    expect(await scalePool(other.ctx, pool, ask({ uid: 'u-0' }))).toMatchObject({
      problem: { code: 'precondition_failed', applied: 'no', fields: [{ field: 'metadata.uid', message: 'u-1' }] },
    });
    const ending = storedPool();
    ending.metadata.deletionTimestamp = '2026-11-30T10:00:00Z';
    expect(await scalePool(fakeCluster(ending).ctx, pool, ask())).toMatchObject({
      problem: { code: 'precondition_failed', message: 'Pool web is being deleted since 2026-11-30T10:00:00Z' },
    });
    const gone = fakeCluster();
    gone.world.pool = undefined;
    expect(await scalePool(gone.ctx, pool, ask())).toMatchObject({
      problem: { code: 'not_found', applied: 'no', message: 'sandboxsets.agents.kruise.io "web" not found' },
    });
    for (const { world } of [other, gone]) expect(patches(world)).toEqual([]);
  });

  it('says so when the pool was replaced between the check and the write', async () => {
    const { ctx, world } = fakeCluster();
    world.onPatch = () => {
      if (world.pool) world.pool.metadata.uid = 'u-2';
    };
    expect(await scalePool(ctx, pool, ask())).toMatchObject({
      problem: { code: 'precondition_failed', applied: 'unknown' },
    });
  });

  it('tries a 409 once more, after checking again', async () => {
    const busy = fakeCluster();
    let refusals = 1;
    busy.world.onPatch = () => {
      if (refusals-- > 0) throw recordedRefusal('scale with a stale resourceVersion');
    };
    expect(await scalePool(busy.ctx, pool, ask())).toMatchObject({ ok: true, value: { changed: true } });
    expect(busy.world.calls.map((c) => c.method)).toEqual(['GET', 'PATCH', 'GET', 'PATCH']);

    const moved = fakeCluster();
    moved.world.onPatch = () => {
      if (moved.world.pool) moved.world.pool.spec.replicas = 7;
      throw recordedRefusal('scale with a stale resourceVersion');
    };
    expect(await scalePool(moved.ctx, pool, ask())).toMatchObject({
      problem: { code: 'conflict', fields: [{ message: '7' }] },
    });
    expect(patches(moved.world)).toHaveLength(1);

    const always = fakeCluster();
    always.world.onPatch = () => {
      throw recordedRefusal('scale with a stale resourceVersion');
    };
    expect(await scalePool(always.ctx, pool, ask())).toMatchObject({
      problem: { code: 'conflict', applied: 'no', message: expect.stringContaining('the object has been modified') },
    });
    expect(patches(always.world)).toHaveLength(2);
  });

  it('never sends again after a time-out, and does not claim that nothing happened', async () => {
    const { ctx, world } = fakeCluster();
    world.onPatch = () => {
      throw timeout();
    };
    expect(await scalePool(ctx, pool, ask())).toMatchObject({
      problem: { code: 'upstream_timeout', applied: 'unknown' },
    });
    expect(patches(world)).toHaveLength(1);
    expect(ctx.audit.recent()).toMatchObject([{ result: 'unknown' }]);
    expect(await scalePool(ctx, pool, ask({ dryRun: true }))).toMatchObject({ problem: { applied: 'no' } });
  });

  it('is sure that nothing happened when nothing was sent', async () => {
    const { ctx, world } = fakeCluster();
    ctx.cluster.client = {
      async request() {
        throw new KubeError({ cause: 'network', message: 'socket hang up', code: 'ECONNRESET' });
      },
    };
    expect(await scalePool(ctx, pool, ask())).toMatchObject({
      problem: { code: 'upstream_unavailable', applied: 'no', message: 'socket hang up' },
    });
    expect(world.calls).toEqual([]);
  });

  it('is refused while the watch of pools is down for longer than 15 s, and not before', async () => {
    const { ctx, world } = fakeCluster();
    world.freshness = { kind: 'sandboxsets', state: 'degraded', provenAt: 1_000_000, reason: 'connection refused' };
    world.now = 1_015_000;
    expect(await scalePool(ctx, pool, ask({ dryRun: true }))).toMatchObject({ ok: true });
    world.now = 1_015_001;
    expect(await scalePool(ctx, pool, ask())).toMatchObject({
      problem: { code: 'stale', status: 409, applied: 'no', message: expect.stringContaining('connection refused') },
    });
    world.freshness = { kind: 'sandboxsets', state: 'syncing' };
    expect(await scalePool(ctx, pool, ask())).toMatchObject({ problem: { code: 'stale' } });
    world.freshness = { kind: 'sandboxsets', state: 'forbidden' };
    expect(await scalePool(ctx, pool, ask())).toMatchObject({ ok: true });
  });

  it('keeps a schema refusal and its field', async () => {
    const { ctx, world } = fakeCluster();
    world.onPatch = () => {
      throw recordedRefusal('scale through merge patch, negative');
    };
    expect(await scalePool(ctx, pool, ask())).toMatchObject({
      problem: { code: 'validation', applied: 'no', fields: [{ field: '.spec.replicas' }] },
    });
  });
});
