import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxUpdateOpsSchema } from '../client/objects';
import { resources } from '../client/resources';
import { label } from '../rules/keys';
import { reason, startSandboxTests } from '../sandbox/testing';

let tests: Awaited<ReturnType<typeof startSandboxTests>>;
beforeAll(async () => {
  tests = await startSandboxTests();
});
afterAll(() => tests.stop());

const template = { spec: { containers: [{ name: 'main', image: 'code:v1' }] } };
const patch = { spec: { containers: [{ name: 'main', image: 'code:v2' }] } };
const labelled = (batch: string, more: object = {}) => ({ labels: { batch, ...more } });
const start = (name: string, batch: string, spec: object = {}) =>
  tests.create(resources.sandboxupdateops, name, { selector: { matchLabels: { batch } }, patch, ...spec });
const read = async (name: string) =>
  sandboxUpdateOpsSchema.parse(await tests.api.get(tests.path(resources.sandboxupdateops, name)));
const ended = (name: string, phase: string) =>
  expect.poll(async () => (await read(name)).status?.phase, { timeout: 20_000 }).toBe(phase);
/** One may be active at a time, and only a deleted one is out of the way for good. */
async function remove(name: string) {
  await tests.api.remove(tests.path(resources.sandboxupdateops, name));
  await tests.gone(resources.sandboxupdateops, name);
}

it('takes an empty list of states for the default, and lets go of what it has updated', async () => {
  await tests.running('plain', { template }, labelled('a'));
  await start('all', 'a', { stateFilter: { states: [] } });
  await ended('all', 'Completed');
  expect((await read('all')).status).toMatchObject({ replicas: 1, updatedReplicas: 1 });
  const { metadata, spec } = await tests.read('plain');
  expect(spec.upgradePolicy).toBeUndefined();
  expect(metadata.labels?.[label.updateOps]).toBe('all');
  await remove('all');
  expect((await tests.read('plain')).metadata.labels).not.toHaveProperty([label.updateOps]);
});

it('leaves a sandbox that needs nothing as it is, an old mark of failure included', async () => {
  const marked = labelled('b', { [label.upgradeFailed]: 'true' });
  await tests.running('done', { template: { spec: patch.spec } }, marked);
  await start('nothing', 'b');
  await ended('nothing', 'Completed');
  expect((await read('nothing')).status).toMatchObject({ replicas: 0 });
  expect((await tests.read('done')).metadata.labels).toMatchObject({ [label.upgradeFailed]: 'true' });
  await remove('nothing');
});

it('never ends when nothing but an empty list is left of the change', async () => {
  await tests.running('hollow', { template }, labelled('d'));
  const { spec, status } = await tests.read('hollow');
  const env = [{ name: 'DEBUG', $patch: 'delete' }];
  await start('emptied', 'd', { patch: { spec: { containers: [{ name: 'main', env }] } } });
  await expect
    .poll(async () => await tests.events('emptied'), { timeout: 20_000 })
    .toContain('SandboxUpgrading: Patching sandbox hollow after resuming');
  const after = await tests.read('hollow');
  expect(after.spec.template).toEqual(spec.template);
  expect(after.status?.updateRevision).toBe(status?.updateRevision);
  expect((await read('emptied')).status).toMatchObject({ phase: 'Updating', updatingReplicas: 1, updatedReplicas: 0 });
  await remove('emptied');
});

it('ends a paused sandbox that loses its operation between its two phases: it runs, then pauses again', async () => {
  // It takes its time to wake up.
  const metadata = { annotations: { 'sim.local/start-delay': '3s' } };
  await tests.running('asleep', { template: { ...template, metadata } }, labelled('c'));
  await tests.change('asleep', { spec: { paused: true } });
  await tests.until('asleep', (it) => reason(it, 'SandboxPaused') === 'StopPauseSucceed');
  await start('halfway', 'c', { stateFilter: { states: ['Paused'] } });
  await tests.until('asleep', (it) => it.metadata.labels?.[label.updateOps] === 'halfway');
  // Stopped before the second phase.
  await tests.api.patch(tests.path(resources.sandboxupdateops, 'halfway'), { spec: { paused: true } });
  await tests.until('asleep', (it) => reason(it, 'Upgrading') === 'ResumeSucceed');
  await remove('halfway');
  await expect.poll(async () => (await tests.events('asleep')).join()).toContain('SandboxRunning: Sandbox upgraded');
  const last = await tests.until('asleep', (it) => reason(it, 'SandboxPaused') === 'StopPauseSucceed');
  expect(last.metadata.annotations).not.toHaveProperty(['agents.kruise.io/upgrade-resume-trigger']);
  expect(last.spec.template?.spec?.containers?.[0]?.image).toBe('code:v1');
  // What was in flight keeps its policy.
  expect(last.spec.upgradePolicy?.type).toBe('Recreate');
});
