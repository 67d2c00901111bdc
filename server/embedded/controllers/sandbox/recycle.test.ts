import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectionPath, type Resource, resources } from '../client/resources';
import { timestamp } from '../rules/conditions';
import { annotation, label } from '../rules/keys';
import { reason, startSandboxTests } from './testing';

let tests: Awaited<ReturnType<typeof startSandboxTests>>;
beforeAll(async () => {
  tests = await startSandboxTests();
});
afterAll(() => tests.stop());

const asked = { [annotation.cleanup]: 'true', [annotation.cleanupEnabled]: 'true' };
const template = { spec: { containers: [{ name: 'main', image: 'code:v1' }] } };
const inPool = (pool: string, hash: string) => ({ [label.pool]: pool, [label.templateHash]: hash });

/** An empty pool; resolves to its revision. */
async function pool(name: string): Promise<string> {
  await tests.create(resources.sandboxsets, name, { replicas: 0, template });
  const status = async () =>
    ((await tests.api.get(tests.path(resources.sandboxsets, name))) as { status?: { updateRevision?: string } }).status;
  await expect.poll(async () => (await status())?.updateRevision).toBeDefined();
  return (await status())?.updateRevision ?? '';
}

it('returns a sandbox to its pool, without the times and the keys of its claim', async () => {
  const revision = await pool('back');
  const shutdownTime = new Date(Date.now() + 600_000).toISOString();
  const labels = { ...inPool('back', revision), [label.claimed]: 'true', [label.claimName]: 'job', mine: 'yes' };
  const annotations = {
    ...asked,
    [annotation.owner]: 'somebody',
    [annotation.claimMetadata]: JSON.stringify({ labels: ['mine'] }),
  };
  await tests.running('worn', { template, shutdownTime }, { labels, annotations });
  await tests.until('worn', ({ status }) => status?.recycledCount === 1);
  const { metadata, spec, status } = await tests.read('worn');
  expect(metadata.ownerReferences?.[0]).toMatchObject({ kind: 'SandboxSet', name: 'back', controller: true });
  expect(metadata.labels).toMatchObject({ [label.claimed]: 'false' });
  expect(metadata.labels).not.toHaveProperty('mine');
  expect(metadata.annotations).not.toHaveProperty([annotation.owner]);
  expect(spec.shutdownTime).toBeUndefined();
  expect(status?.phase).toBe('Running');
  expect(await tests.events('worn')).toContain(
    'RecyclingSucceeded: Recycling succeeded, sandbox returned to pool (recycledCount: 1)',
  );
}, 40_000);

it('deletes a sandbox that is outdated, or keeps it for a while when told to', async () => {
  await pool('moved');
  const labels = inPool('moved', 'old');
  await tests.running('outdated', { template }, { labels });
  await tests.change('outdated', { metadata: { annotations: asked } });
  await tests.gone(resources.sandboxes, 'outdated');
  expect((await tests.events('outdated')).join()).toContain('sandbox is outdated and cannot be recycled');
  const annotations = { ...asked, [annotation.cleanupRetain]: '10m' };
  await tests.running('kept', { template }, { labels });
  await tests.change('kept', { metadata: { annotations } });
  const { spec } = await tests.until('kept', (it) => reason(it, 'Recycling') === 'RecyclingFailed');
  expect(Date.parse(spec.shutdownTime ?? '')).toBeGreaterThan(Date.now() + 500_000);
});

it('gives up on a Pod that has not become ready for a minute', async () => {
  const labels = inPool('slow', await pool('slow'));
  await tests.running('unready', { template }, { labels });
  const status = (resource: Resource, body: object) =>
    tests.api.patch(`${tests.path(resource, 'unready')}/status`, { status: body });
  await status(resources.pods, { conditions: [{ type: 'Ready', status: 'False' }] });
  await tests.change('unready', { metadata: { annotations: asked } });
  const { status: now } = await tests.until('unready', (it) => reason(it, 'Recycling') === 'RecyclingStarted');
  const past = timestamp(Date.now() - 61_000);
  await status(resources.sandboxes, {
    conditions: now?.conditions?.map((one) => (one.type === 'Recycling' ? { ...one, lastTransitionTime: past } : one)),
  });
  await tests.gone(resources.sandboxes, 'unready');
  expect(await tests.events('unready')).toContain('RecyclingTimeout: recycle timed out after 1m0s');
});

it('deletes a sandbox whose mounted volumes nobody would take off', async () => {
  const labels = inPool('mounts', await pool('mounts'));
  await tests.running('mounted', { template }, { labels, annotations: { [annotation.csiVolumes]: '[]' } });
  await tests.change('mounted', { metadata: { annotations: asked } });
  await tests.gone(resources.sandboxes, 'mounted');
  expect(await tests.events('mounted')).toContain(
    'RecyclingFailed: sandbox carries CSI mounts but csi-reset-signal-dir is not configured',
  );
});

it('refuses a sandbox with volumes, which runs on, and one that is paused, which is recycled when it runs again', async () => {
  const revision = await pool('refusing');
  const labels = inPool('refusing', revision);
  const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }];
  await tests.running('full', { template, volumeClaimTemplates }, { labels });
  await tests.change('full', { metadata: { annotations: asked } });
  const full = await tests.until('full', (it) => reason(it, 'Recycling') === 'RecyclingRejected');
  expect(full.status?.phase).toBe('Running');
  expect(await tests.events('full')).toContain(
    'RecyclingRejected: recycle is not supported for sandboxes with persistent volume claims',
  );
  await tests.running('asleep', { template }, { labels });
  await tests.change('asleep', { spec: { paused: true } });
  await tests.until('asleep', (it) => reason(it, 'SandboxPaused') === 'StopPauseSucceed');
  await tests.change('asleep', { metadata: { annotations: asked } });
  await tests.until('asleep', (it) => reason(it, 'Recycling') === 'RecyclingRejected');
  await tests.change('asleep', { spec: { paused: false } });
  await tests.until('asleep', ({ status }) => status?.phase === 'Recycling');
});

it('makes a volume claim again that is gone', async () => {
  const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }];
  await tests.running('stateful', { template, volumeClaimTemplates });
  const claims = collectionPath(resources.persistentvolumeclaims, 'default');
  await tests.api.remove(`${claims}/data-stateful`);
  await tests.change('stateful', { spec: { paused: true } });
  await expect
    .poll(() =>
      tests.api.get(`${claims}/data-stateful`).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});
