import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { realKubeconfig } from '../testing/contract-cluster';
import { type SandboxWorld, sandboxWorld } from '../testing/sandbox-world';

describe('an action on several sandboxes', () => {
  let world: SandboxWorld;
  beforeAll(async () => {
    world = await sandboxWorld();
  });
  afterEach(() => world.cluster.setFault?.(undefined));
  afterAll(() => world.close());

  it('stops after the first that fails, or goes on', async () => {
    const [first, failed, last] = [await world.make(), await world.make({ phase: 'Failed' }), await world.make()];
    const pause = { action: 'pauseSandbox' } as const;
    const results = (items: { result: string }[]) => items.map(({ result }) => result);
    expect(results(await world.act([first, failed, last], pause, { dryRun: true }))).toEqual([
      'accepted',
      'refused',
      'accepted',
    ]);
    expect(results(await world.act([first, failed, last], pause))).toEqual(['accepted', 'refused', 'skipped']);
    expect(await world.spec(last)).not.toHaveProperty('paused');
    expect(results(await world.act([first, failed, last], pause, { onFailure: 'continue' }))).toEqual([
      'unchanged',
      'refused',
      'accepted',
    ]);
  });

  it.skipIf(realKubeconfig)('calls a lost answer unknown, sends nothing twice, and stops there', async () => {
    const boxes = [await world.make(), await world.make()];
    world.cluster.setFault?.(({ method }) => (method === 'PATCH' ? { delayMs: 60_000, hang: true } : undefined));
    const ctx = world.context();
    const { request } = ctx.cluster.client;
    const hasty = {
      ...ctx,
      cluster: {
        ...ctx.cluster,
        client: { request: (call: Parameters<typeof request>[0]) => request({ ...call, timeoutMs: 300 }) },
      },
    };
    const outcomes = await world.act(boxes, { action: 'pauseSandbox' }, { ctx: hasty });
    expect(outcomes).toMatchObject([
      { result: 'unknown', problem: { code: 'upstream_timeout', applied: 'unknown' } },
      { result: 'skipped' },
    ]);
    expect(world.calls.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  it.skipIf(realKubeconfig)('looks once more when something was written in between', async () => {
    const box = await world.make();
    let raced = false;
    const ctx = world.context();
    const { request } = ctx.cluster.client;
    const racing: typeof request = async (call) => {
      if (call.method === 'PATCH' && !raced) {
        raced = true;
        await world.patch('sandboxes', box.name, { spec: { pauseTime: '2030-01-01T00:00:00Z' } });
      }
      return request(call);
    };
    const result = await world.one(
      box,
      { action: 'pauseSandbox' },
      { ctx: { ...ctx, cluster: { ...ctx.cluster, client: { request: racing } } } },
    );
    expect(result).toMatchObject({ result: 'accepted', receipt: { generation: 3 } });
  });
});
