import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxChange } from '@/lib/contracts/sandbox-writes';
import { retag, type SandboxWorld, sandboxWorld } from '../testing/sandbox-world';

const prefix = 'agents.kruise.io/';

describe('a write on a sandbox', () => {
  let world: SandboxWorld;
  beforeAll(async () => {
    world = await sandboxWorld();
  });
  afterEach(() => world.cluster.setFault?.(undefined));
  afterAll(() => world.close());

  it('asks first, pauses, says that it already is, and resumes', async () => {
    const box = await world.make();
    const pause = { action: 'pauseSandbox' } as const;
    expect(await world.one(box, pause, { dryRun: true })).toMatchObject({
      result: 'accepted',
      receipt: { dryRun: true },
    });
    expect(await world.spec(box)).not.toHaveProperty('paused');
    const done = await world.one(box, pause, { reason: 'lunch' });
    expect(done).toMatchObject({
      result: 'accepted',
      receipt: {
        action: 'pauseSandbox',
        before: false,
        after: true,
        generation: 2,
        kubectl: expect.stringContaining('/spec/paused'),
      },
    });
    expect(world.calls.filter(({ method }) => method === 'PATCH').at(-1)?.body).toEqual([
      { op: 'test', path: '/metadata/uid', value: box.uid },
      { op: 'test', path: '/metadata/generation', value: 1 },
      { op: 'add', path: '/spec/paused', value: true },
    ]);
    expect(await world.one(box, pause)).toMatchObject({ result: 'unchanged', receipt: { changed: false } });
    await world.patch('sandboxes', `${box.name}/status`, {
      status: {
        phase: 'Paused',
        conditions: [
          {
            type: 'SandboxPaused',
            status: 'True',
            reason: 'StopPauseSucceed',
            message: '',
            lastTransitionTime: '2026-11-30T10:00:00Z',
          },
        ],
      },
    });
    expect(await world.one(box, { action: 'resumeSandbox' })).toMatchObject({ result: 'accepted' });
    expect(await world.spec(box)).toMatchObject({ paused: false });
    const lines = world.lines.filter((line) => line.includes(box.name) && line.includes('lunch'));
    expect(lines.map((line) => JSON.parse(line).key)).toEqual(['audit.intent', 'audit.outcome']);
  });

  it('takes a passed pauseTime along when it resumes, for else it would be paused again at once', async () => {
    const passed = '2020-01-01T00:00:00Z';
    const paused = { paused: true, pauseTime: passed, template: { spec: { containers: [] } } };
    const box = await world.make({ phase: 'Paused', spec: paused });
    expect(await world.one(box, { action: 'resumeSandbox', pauseTime: passed })).toMatchObject({
      result: 'refused',
      problem: { reason: 'deadlinePassed' },
    });
    expect(await world.one(box, { action: 'resumeSandbox', pauseTime: null })).toMatchObject({ result: 'accepted' });
    expect(await world.spec(box)).toMatchObject({ paused: false });
    expect(await world.spec(box)).not.toHaveProperty('pauseTime');
    const ahead = '2099-01-01T00:00:00Z';
    const other = await world.make({ phase: 'Paused', spec: { ...paused, pauseTime: ahead } });
    expect(await world.one(other, { action: 'resumeSandbox', pauseTime: null })).toMatchObject({ result: 'accepted' });
    expect(await world.spec(other)).toMatchObject({ paused: false, pauseTime: ahead });
  });

  it('sets, extends and removes a deadline, and sees who was faster', async () => {
    const at = new Date(Date.now() + 600_000).toISOString().replace(/\.\d+Z$/, 'Z');
    const box = await world.make({ spec: { shutdownTime: at } });
    const seen = (shutdownAt: number | null) => ({ ...box, seen: { shutdownAt } });
    const extend: SandboxChange = { action: 'setDeadline', field: 'shutdownTime', addSeconds: 3_600 };
    expect(await world.one(seen(Date.parse(at)), extend)).toMatchObject({ result: 'accepted' });
    const extended = new Date(Date.parse(at) + 3_600_000).toISOString().replace('.000Z', 'Z');
    expect(await world.spec(box)).toMatchObject({ shutdownTime: extended });
    expect(await world.one(seen(Date.parse(at)), extend)).toMatchObject({
      result: 'refused',
      problem: { code: 'conflict', reason: 'sandboxMoved', values: { field: 'spec.shutdownTime' } },
    });
    const remove: SandboxChange = { action: 'setDeadline', field: 'shutdownTime', to: null };
    expect(await world.one(seen(Date.parse(extended)), remove)).toMatchObject({ result: 'accepted' });
    expect(await world.one(seen(null), remove)).toMatchObject({ result: 'unchanged' });
    const past: SandboxChange = { action: 'setDeadline', field: 'pauseTime', to: '2020-01-01T00:00:00Z' };
    expect(await world.one(box, past)).toMatchObject({ result: 'refused', problem: { reason: 'deadlinePassed' } });
    const nothing: SandboxChange = { action: 'setDeadline', field: 'pauseTime' };
    expect(await world.one(box, nothing)).toMatchObject({ problem: { reason: 'noDeadline' } });
  });

  it('refuses another sandbox of the name, one that changed hands, and what its state does not permit', async () => {
    const box = await world.make();
    expect(await world.one({ ...box, uid: 'other' }, { action: 'deleteSandbox' })).toMatchObject({
      result: 'refused',
      problem: { reason: 'objectReplaced', applied: 'no' },
    });
    expect(await world.one({ ...box, seen: { owner: 'ana' } }, { action: 'deleteSandbox' })).toMatchObject({
      result: 'refused',
      problem: { reason: 'sandboxMoved', values: { now: 'none', seen: 'ana' } },
    });
    const failed = await world.make({ phase: 'Failed' });
    expect(await world.one(failed, { action: 'pauseSandbox' })).toMatchObject({
      result: 'refused',
      problem: { reason: 'notNow', values: { why: 'ended' }, message: expect.stringContaining('it has ended') },
    });
    const referring = await world.make({
      phase: 'Resuming',
      spec: { template: null, templateRef: { name: 'shared' } },
    });
    expect(await world.one(referring, retag(false))).toMatchObject({
      problem: { values: { why: 'templateRef', of: 'shared' } },
    });
    expect(world.calls.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('leaves alone what an operation is at work on, until that is over', async () => {
    await world.cluster.client.request({
      method: 'POST',
      path: `/apis/agents.kruise.io/v1alpha1/namespaces/${world.namespace}/sandboxupdateops`,
      body: {
        apiVersion: 'agents.kruise.io/v1alpha1',
        kind: 'SandboxUpdateOps',
        metadata: { name: 'up' },
        spec: { selector: { matchLabels: { nobody: 'x' } }, patch: {} },
      },
    });
    await world.reach('up', 'Updating');
    const box = await world.make({ labels: { [`${prefix}update-ops`]: 'up' } });
    expect(await world.one(box, { action: 'pauseSandbox' })).toMatchObject({
      problem: { values: { why: 'operation', of: 'up' } },
    });
    await world.reach('up', 'Completed');
    expect(await world.one(box, { action: 'pauseSandbox' })).toMatchObject({ result: 'accepted' });
  });

  it('deletes by uid and version, finds it gone on its way, and takes a finalizer that holds it', async () => {
    const box = await world.make({ phase: 'Paused' });
    const finalizer = `${prefix}sandbox`;
    await world.patch('sandboxes', box.name, { metadata: { finalizers: ['other/one', finalizer] } });
    const take: SandboxChange = { action: 'removeFinalizer', finalizer };
    expect(await world.one(box, take)).toMatchObject({
      result: 'refused',
      problem: { values: { why: 'notDeleting' } },
    });
    expect(await world.one(box, { action: 'deleteSandbox' })).toMatchObject({ result: 'accepted' });
    expect(world.calls.at(-1)?.body).toMatchObject({
      preconditions: { uid: box.uid, resourceVersion: expect.any(String) },
    });
    expect(await world.one(box, { action: 'deleteSandbox' })).toMatchObject({ result: 'unchanged' });
    expect(await world.one(box, { action: 'pauseSandbox' })).toMatchObject({
      problem: { values: { why: 'deleting' } },
    });
    expect(await world.one(box, take)).toMatchObject({ result: 'accepted', receipt: { after: ['other/one'] } });
    expect(await world.one(box, take)).toMatchObject({ result: 'unchanged' });
    expect(await world.one(box, { action: 'removeFinalizer', finalizer: 'other/one' })).toMatchObject({
      result: 'accepted',
    });
    expect(await world.one(box, take)).toMatchObject({ result: 'refused', problem: { code: 'not_found' } });
  });
});
