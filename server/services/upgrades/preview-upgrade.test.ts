import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UpgradeWorld, upgradeWorld } from '../testing/upgrade-world';
import { previewUpgrade } from './preview-upgrade';

describe('previewUpgrade', () => {
  let world: UpgradeWorld;
  beforeAll(async () => {
    world = await upgradeWorld();
    const secret = [{ name: 'API_TOKEN', value: 'SECRET-1' }];
    await world.sandbox('a', { env: secret });
    await world.sandbox('b', { env: secret });
    await world.sandbox('current', { image: 'registry.local/code:v2' });
    await world.sandbox('done', { phase: 'Succeeded' });
    await world.sandbox('other', { labels: { app: 'else' } });
  });
  afterAll(() => world.close());

  it('says what is taken, what is left out and why, and what changes, without secrets', async () => {
    const result = await previewUpgrade(world.context(), world.draft());
    expect(result).toMatchObject({
      ok: true,
      value: {
        selector: 'app=code',
        targets: [{ name: 'a', claimed: true }, { name: 'b' }],
        leftOut: [
          { name: 'current', reason: 'upToDate' },
          { name: 'done', reason: 'terminal' },
        ],
        groups: [
          {
            count: 2,
            before: { spec: { containers: [{ image: 'registry.local/code:v1', env: [{ value: '•••' }] }] } },
            after: { spec: { containers: [{ image: 'registry.local/code:v2', env: [{ value: '•••' }] }] } },
          },
        ],
        problems: [],
        active: [],
      },
    });
    expect(JSON.stringify(result)).not.toContain('SECRET');
  });

  it('lists with the selector, and everything only for single sandboxes', async () => {
    world.calls.length = 0;
    await previewUpgrade(world.context(), world.draft());
    const lists = () => world.calls.filter((call) => call.path.endsWith('/sandboxes')).map((call) => call.query);
    expect(lists()).toEqual([{ labelSelector: 'app=code', limit: 500 }]);
    world.calls.length = 0;
    const { uid } = (await world.read('sandboxes', 'other')).metadata;
    const sandboxes = [
      { uid, name: 'other' },
      { uid: 'was-there', name: 'gone' },
    ];
    const chosen = await previewUpgrade(world.context(), world.draft({ targets: { by: 'selection', sandboxes } }));
    expect(lists()).toEqual([{ limit: 500 }]);
    expect(chosen).toMatchObject({
      value: {
        selector: 'console.agents.kruise.io/upgrade=up',
        targets: [{ name: 'other' }],
        leftOut: [{ name: 'gone', reason: 'gone' }],
      },
    });
  });

  it('does without a name, a change and a limit', async () => {
    const { name: _name, change: _change, maxUnavailable: _max, ...draft } = world.draft();
    expect(await previewUpgrade(world.context(), draft)).toMatchObject({ ok: true, value: { selector: 'app=code' } });
  });

  it('refuses dots in the place of a value, by field', async () => {
    const patch = { spec: { containers: [{ name: 'main', env: [{ name: 'API_TOKEN', value: '•••' }] }] } };
    expect(await previewUpgrade(world.context(), world.draft({ change: { by: 'patch', patch } }))).toMatchObject({
      problem: {
        code: 'validation',
        reason: 'maskedValue',
        fields: [{ field: 'patch.spec.containers[main].env[API_TOKEN].value', reason: 'maskedValue' }],
      },
    });
  });

  it('tells by Checkpoints whether anything completes them', async () => {
    const draft = world.draft({
      strategy: 'CheckpointRestore',
      change: { by: 'patch', patch: { spec: { containers: [{ name: 'main', env: [{ name: 'A', value: 'b' }] }] } } },
    });
    const problems = async (now = Date.now()) => {
      const result = await previewUpgrade({ ...world.context(), now: () => now }, draft);
      return result.ok ? result.value.problems.map(({ code, weight }) => [code, weight]) : result;
    };
    expect(await problems()).toEqual([['checkpointsUnknown', 'warns']]);
    const checkpoints = `/apis/agents.kruise.io/v1alpha1/namespaces/${world.namespace}/checkpoints`;
    await world.cluster.client.request({
      method: 'POST',
      path: checkpoints,
      body: {
        apiVersion: 'agents.kruise.io/v1alpha1',
        kind: 'Checkpoint',
        metadata: { name: 'c' },
        spec: { sandboxName: 'a', persistentContents: ['filesystem'] },
      },
    });
    // It is asked for the first time, and may take its time.
    expect(await problems(Date.now() + 5 * 60_000)).toEqual([['checkpointWaits', 'warns']]);
    expect(await problems(Date.now() + 11 * 60_000)).toEqual([['noCheckpointController', 'stops']]);
    // Taken up is answered, however long it takes from there.
    await world.patch('checkpoints', 'c/status', { status: { phase: 'Creating' } });
    expect(await problems(Date.now() + 11 * 60_000)).toEqual([]);
  });

  it('leaves it to the API server who may list', async () => {
    const nobody = { subject: 'nobody', groups: [], impersonate: true };
    await expect(previewUpgrade(world.context({ principal: nobody }), world.draft())).rejects.toThrow(
      'cannot list resource "sandboxes"',
    );
  });
});
