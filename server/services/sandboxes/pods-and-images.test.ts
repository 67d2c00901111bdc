import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxChange } from '@/lib/contracts/sandbox-writes';
import { readAccess } from '../access/read-access';
import { realKubeconfig } from '../testing/contract-cluster';
import { resuming, retag, type SandboxWorld, sandboxWorld, tagged } from '../testing/sandbox-world';

describe('Pods and images of a sandbox', () => {
  let world: SandboxWorld;
  beforeAll(async () => {
    world = await sandboxWorld();
  });
  afterEach(() => world.cluster.setFault?.(undefined));
  afterAll(() => world.close());

  it('deletes a Pod by its uid where another one is made, and never that of a running sandbox', async () => {
    const box = await world.make(resuming);
    const podUid = await world.makePod(box);
    const running = await world.make();
    await world.makePod(running);
    const change = { action: 'deletePod' } as const;
    expect(await world.one(running, change)).toMatchObject({
      result: 'refused',
      problem: { values: { why: 'podIsLife' } },
    });
    expect(await world.one({ ...box, podUid: 'other' }, change)).toMatchObject({
      result: 'refused',
      problem: { reason: 'podReplaced', values: { now: podUid } },
    });
    expect(await world.one({ ...box, podUid }, change, { dryRun: true })).toMatchObject({
      result: 'accepted',
      receipt: { before: { podUid } },
    });
    expect(await world.podIsThere(box)).toBe(true);
    expect(await world.one({ ...box, podUid }, change)).toMatchObject({ result: 'accepted' });
    expect(world.calls.at(-1)).toMatchObject({ method: 'DELETE', body: { preconditions: { uid: podUid } } });
    expect(await world.podIsThere(box)).toBe(false);
    expect(await world.one(box, change)).toMatchObject({ result: 'refused', problem: { values: { why: 'noPod' } } });
  });

  it('names another image, leaves the siblings, and deletes the Pod after that', async () => {
    const box = await world.make(resuming);
    await world.makePod(box);
    const done = await world.one(box, retag(true));
    expect(done).toMatchObject({
      result: 'accepted',
      receipt: { action: 'changeImages', changed: true },
      podReceipt: { action: 'deletePod', changed: true },
    });
    expect(await world.spec(box)).toMatchObject({
      template: {
        spec: {
          initContainers: [{ name: 'runtime', image: tagged, restartPolicy: 'Always' }],
          containers: resuming.spec.template.spec.containers,
        },
      },
    });
    expect(await world.podIsThere(box)).toBe(false);
    const again = await world.one(box, { ...retag(false) } as SandboxChange);
    expect(again).toMatchObject({ result: 'unchanged' });
    const other = { ...retag(false), images: [{ container: 'runtime', init: true, from: 'x:1', to: 'x:2' }] };
    expect(await world.one(box, other as SandboxChange)).toMatchObject({ problem: { reason: 'sandboxMoved' } });
    const missing = { ...retag(false), images: [{ container: 'gone', init: true, from: 'x:1', to: 'x:2' }] };
    expect(await world.one(box, missing as SandboxChange)).toMatchObject({ problem: { reason: 'noSuchContainer' } });
  });

  it.skipIf(realKubeconfig)('says which part happened when the Pod stays', async () => {
    const box = await world.make(resuming);
    await world.makePod(box);
    let deletes = 0;
    world.cluster.setFault?.(({ method }) => {
      if (method !== 'DELETE') return undefined;
      deletes += 1;
      // The question is answered, the deletion is not.
      return deletes === 1 ? undefined : { status: 503, body: { kind: 'Status', message: 'etcd is away', code: 503 } };
    });
    const outcome = await world.one(box, retag(true));
    expect(outcome).toMatchObject({
      result: 'unknown',
      problem: { message: 'etcd is away' },
      receipt: { action: 'changeImages', changed: true },
    });
    expect(outcome).not.toHaveProperty('podReceipt');
  });

  it('writes nothing when the webhook refuses the Pod to this person', async () => {
    const box = await world.make(resuming);
    await world.makePod(box);
    const agents = { apiGroups: ['agents.kruise.io'], resources: ['*'], verbs: ['get', 'list', 'patch', 'delete'] };
    const olga = await world.personWith('olga', [
      agents,
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'delete'] },
    ]);
    const paul = await world.personWith('paul', [agents]);

    if (!realKubeconfig) {
      expect(await world.one(box, retag(true), { ctx: olga })).toMatchObject({
        result: 'refused',
        problem: { message: expect.stringContaining('"v-pod-delete.kb.io" denied the request'), applied: 'no' },
      });
    }
    expect(await world.spec(box)).toMatchObject(resuming.spec);
    // Deleting Pods is a right of its own, in the core group.
    expect(await world.one(box, { action: 'deletePod' }, { ctx: paul })).toMatchObject({
      result: 'refused',
      problem: {
        code: 'forbidden',
        missing: { verb: 'delete', group: '', resource: 'pods', namespace: world.namespace },
      },
    });
    expect(await readAccess(paul, world.namespace)).toMatchObject({
      value: {
        actions: {
          patchSandbox: { state: 'allowed' },
          deleteSandbox: { state: 'allowed' },
          deletePod: { state: 'denied', group: '', resource: 'pods' },
        },
      },
    });
  });
});
