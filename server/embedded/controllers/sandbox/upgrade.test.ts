import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { metadataSchema } from '../client/objects';
import { collectionPath, objectPath, resources } from '../client/resources';
import { reason, startSandboxTests } from './testing';

let tests: Awaited<ReturnType<typeof startSandboxTests>>;
beforeAll(async () => {
  tests = await startSandboxTests();
});
afterAll(() => tests.stop());

const template = (...images: string[]) => ({
  spec: { containers: images.map((image, number) => ({ name: `c${number}`, image })) },
});
const policy = (type: string) => ({ upgradePolicy: { type } });

it('tells of every container that does not start', async () => {
  await tests.running('two', { template: template('code:v1', 'web:v1'), ...policy('Recreate') });
  await tests.change('two', { spec: { template: template('code:bad', 'web:bad') } });
  await tests.until('two', (it) => reason(it, 'Upgrading') === 'UpgradePodFailed');
  const about = async (container: string) =>
    (await tests.events('two')).filter((text) => text.startsWith(`UpgradePodFailed: Container ${container} waiting`));
  await expect.poll(async () => (await about('c0')).length).toBeGreaterThan(0);
  expect((await about('c1')).length).toBeGreaterThan(0);
});

it('takes no hook without a command for one', async () => {
  const lifecycle = { preUpgrade: { exec: { command: [] } } };
  await tests.running('hookless', { template: template('code:v1'), lifecycle, ...policy('Recreate') });
  await tests.change('hookless', { spec: { template: template('code:v2') } });
  await tests.until('hookless', (it) => reason(it, 'Upgrading') === 'Succeeded');
});

const checkpointsSchema = z.looseObject({ items: z.array(z.looseObject({ metadata: metadataSchema })) });

it('waits for a checkpoint that nobody makes, says why one failed, and wants its id', async () => {
  await tests.running('saved', { template: template('code:v1'), ...policy('CheckpointRestore') });
  const first = await tests.pod('saved');
  await tests.change('saved', {
    spec: { template: { spec: { containers: [{ name: 'c0', image: 'code:v1', env: [{ name: 'A', value: '1' }] }] } } },
  });
  await tests.until('saved', (it) => reason(it, 'Upgrading') === 'Checkpointing');
  const list = checkpointsSchema.parse(await tests.api.get(collectionPath(resources.checkpoints, 'default')));
  const [checkpoint] = list.items;
  if (checkpoint === undefined) throw new Error('there is no checkpoint');
  const end = (status: object) => tests.api.patch(objectPath(resources.checkpoints, checkpoint, 'status'), { status });
  await end({ phase: 'Failed', message: 'no space' });
  const text = `heckpoint ${checkpoint.metadata.name} failed during upgrade: no space`;
  const failed = await tests.until('saved', (it) => reason(it, 'Upgrading') === 'CheckpointFailed');
  expect(JSON.stringify(failed.status?.conditions)).toContain(`c${text}`);
  await expect.poll(() => tests.events('saved')).toContain(`CheckpointFailed: C${text}`);
  await end({ phase: 'Succeeded', message: null });
  await tests.gone(resources.pods, 'saved');
  expect(reason(await tests.read('saved'), 'Upgrading')).toBe('UpgradePod');
  await end({ checkpointId: 'cp-1' });
  await tests.until('saved', (it) => reason(it, 'Upgrading') === 'Succeeded');
  expect((await tests.pod('saved')).metadata.uid).not.toBe(first.metadata.uid);
});

it('shows a Pod that cannot be made when it resumes, too', async () => {
  await tests.running('broken', { template: template('code:v1') });
  await tests.change('broken', { spec: { paused: true } });
  await tests.until('broken', (it) => reason(it, 'SandboxPaused') === 'StopPauseSucceed');
  await tests.change('broken', { spec: { paused: false, template: { spec: { containers: [{ name: 'No Name' }] } } } });
  await tests.until('broken', (it) => reason(it, 'Ready') === 'PodCreateFailed');
  await expect.poll(async () => (await tests.events('broken')).join()).toContain('Failed to create pod: ');
});

it('takes the Pod of a sandbox that somebody else’s finalizer holds', async () => {
  await tests.running('held', { template: template('code:v1') }, { finalizers: ['example.com/hold'] });
  await tests.api.remove(tests.path(resources.sandboxes, 'held'));
  await tests.gone(resources.pods, 'held');
  expect(await tests.events('held')).toContain(
    'SandboxTerminating: Sandbox deletion is in progress from phase Running',
  );
  await tests.change('held', { metadata: { finalizers: null } });
  await tests.gone(resources.sandboxes, 'held');
});
