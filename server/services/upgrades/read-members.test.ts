import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UpgradeWorld, upgradeWorld } from '../testing/upgrade-world';
import { createUpgrade } from './create-upgrade';
import { readMembers } from './read-members';

describe('readMembers', () => {
  let world: UpgradeWorld;
  const read = () => readMembers(world.context(), { namespace: world.namespace, name: 'up' });
  beforeAll(async () => {
    world = await upgradeWorld();
    const [a, b] = [await world.sandbox('a'), await world.sandbox('b')];
    await createUpgrade(world.context(), { draft: world.draft(), frozen: [a, b], dryRun: false });
  });
  afterAll(() => world.close());

  it('names those that wait, and those that its counts leave out, with the reason', async () => {
    await world.sandbox('current', { image: 'registry.local/code:v2' });
    await world.sandbox('done', { phase: 'Succeeded' });
    await world.sandbox('other', { labels: { app: 'else' } });
    expect(await read()).toMatchObject({
      ok: true,
      value: {
        waiting: [{ name: 'a' }, { name: 'b' }],
        leftOut: [
          { name: 'current', reason: 'upToDate' },
          { name: 'done', reason: 'terminal', detail: 'Succeeded' },
        ],
      },
    });
  });

  it('tells nothing of those that it has adopted: their rows do', async () => {
    await world.patch('sandboxes', 'a', { metadata: { labels: { 'agents.kruise.io/update-ops': 'up' } } });
    expect(await read()).toMatchObject({ value: { waiting: [{ name: 'b' }] } });
  });

  it('selects nothing by a selector that the controller cannot read', async () => {
    const ctx = world.context();
    const { request } = ctx.cluster.client;
    ctx.cluster.client.request = async (call) => {
      const answer = await request(call);
      if (!call.path.endsWith('/up')) return answer;
      const selector = { matchExpressions: [{ key: 'app', operator: 'Near' }] };
      return { ...answer, body: { ...(answer.body as object), spec: { selector } } };
    };
    expect(await readMembers(ctx, { namespace: world.namespace, name: 'up' })).toMatchObject({
      value: { waiting: [], leftOut: [] },
    });
  });

  it('is not told to whom may not read the operation', async () => {
    await expect(readMembers(world.context(), { namespace: world.namespace, name: 'not-there' })).rejects.toMatchObject(
      { status: 404 },
    );
  });
});
