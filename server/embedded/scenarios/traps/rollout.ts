import { setTimeout as sleep } from 'node:timers/promises';
import { resources } from '../../controllers/client/resources';
import { annotation, label } from '../../controllers/rules/keys';
import { changeImage, claim, image, members, pool, poolFull, template } from './kit';
import { condition, type Stage } from './stage';
import type { TrapScenario } from './trap';

const { sandboxes, sandboxsets, sandboxtemplates } = resources;
const group = 'pool' as const;

/** Whether a member or a claimed sandbox is not of the pool's current revision. */
const outdated = (revision: string) => (it: { metadata: { labels: Record<string, string> } }) =>
  it.metadata.labels[label.templateHash] !== revision;

const revisionOf = async (stage: Stage, name: string): Promise<string> =>
  (await stage.get(sandboxsets, name)).status.updateRevision;

/** Changes a pool's image and waits until the pool has seen it. */
async function rollOut(stage: Stage, name: string, tag: string): Promise<void> {
  const before = await revisionOf(stage, name);
  await changeImage(stage, sandboxsets, name, image(tag));
  await stage.object(sandboxsets, name, ({ status }) => status.updateRevision !== before);
}

const budgetZero = { updateStrategy: { maxUnavailable: 0 } };
const recyclable = { [annotation.cleanupEnabled]: 'true' };

export const rolloutTraps: Record<string, TrapScenario> = {
  'rollout-never-starts': {
    title: 'A rollout does not begin: its budget is zero',
    group,
    does: 'The template has changed, and all members stay as they are.',
    traps: {
      T19: async (stage) => {
        const { spec } = await stage.get(sandboxsets, 'web');
        const old = (await members(stage, 'web')).filter(outdated(await revisionOf(stage, 'web')));
        return spec.updateStrategy.maxUnavailable === 0 && old.length === spec.replicas;
      },
      // Not the same hash: they are made of different things.
      T24: async (stage) => {
        const [member] = await members(stage, 'web');
        return member?.status.updateRevision !== member?.metadata.labels[label.templateHash];
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { more: budgetZero });
      await rollOut(stage, 'web', 'v2');
    },
  },
  'rollout-of-template-ref': {
    title: 'A changed template does not reach the pool that refers to it',
    group,
    does: 'The SandboxTemplate has a new image; the pool does not look at it before something else wakes it. Its label sandbox-template is the template’s name, not the pool’s.',
    traps: {
      T22: async (stage) => {
        const { spec } = await stage.get(sandboxtemplates, 'base');
        const [member] = await members(stage, 'web');
        const current = member?.metadata.labels[label.templateHash] === (await revisionOf(stage, 'web'));
        return spec.template.spec.containers[0].image === image('v2') && current;
      },
      T23: async (stage) => (await members(stage, 'web')).every((it) => it.metadata.labels[label.template] === 'base'),
    },
    start: async (stage) => {
      await stage.create(sandboxtemplates, 'base', { template: template() });
      await stage.create(sandboxsets, 'web', { replicas: 2, templateRef: { name: 'base' } });
      // A pool that saw its template too late is not woken by it.
      await stage.object(sandboxtemplates, 'base', () => true);
      await stage.patch(sandboxsets, 'web', { metadata: { annotations: { woken: 'true' } } });
      await poolFull(stage, 'web', 2);
      // Its own last write wakes it once more, and what it finds then it rolls out.
      await sleep(1_000, undefined, { signal: stage.signal });
      await changeImage(stage, sandboxtemplates, 'base', image('v2'));
    },
  },
  'rollout-race-with-claim': {
    title: 'A claim took a sandbox of the old revision',
    group,
    does: 'The rollout had not reached that member yet. It is claimed now, and only an update would bring the new image.',
    traps: {
      T38: async (stage) => {
        const claimed = await stage.list(sandboxes, `${label.claimed}=true`);
        return claimed.some(outdated(await revisionOf(stage, 'web')));
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { more: budgetZero });
      await rollOut(stage, 'web', 'v2');
      await claim(stage, 'early', 'web', { replicas: 1 });
    },
  },
  'rollout-changed-twice': {
    title: 'A second change during a rollout takes more than the budget',
    group,
    does: 'Of five members two may be missing. After the second change one is left: those being created were replaced as well.',
    traps: {
      T52: async (stage) => {
        const { spec, status } = await stage.get(sandboxsets, 'web');
        return status.availableReplicas < spec.replicas - spec.updateStrategy.maxUnavailable;
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { replicas: 5, more: { updateStrategy: { maxUnavailable: 2 } } });
      // The next members take an hour, so that it stands.
      await stage.fault('node-slow-start', { namespace: stage.namespace, seconds: 3600 });
      await rollOut(stage, 'web', 'v2');
      await stage.object(sandboxsets, 'web', ({ status }) => status.replicas === 5 && status.availableReplicas === 3);
      await rollOut(stage, 'web', 'v3');
      await stage.object(sandboxsets, 'web', ({ status }) => status.availableReplicas === 1);
    },
  },
  'recycle-refused': {
    title: 'A recycled sandbox is thrown away: its pool has moved on',
    group,
    does: 'Its template hash is not the pool’s any more. It would be deleted; here it is kept for an hour.',
    traps: {
      T32: async (stage) => {
        const [it] = await stage.list(sandboxes, `${label.claimed}=true`);
        const { reason, message } = it === undefined ? {} : condition(it, 'Recycling');
        return reason === 'RecyclingFailed' && message?.includes('does not match') === true;
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { annotations: recyclable });
      const [claimed] = await claim(stage, 'job', 'web', { replicas: 1 });
      await rollOut(stage, 'web', 'v2');
      await recycle(stage, claimed?.metadata.name ?? '', { [annotation.cleanupRetain]: '1h' });
      await stage.objects(
        sandboxes,
        ([it]) => it !== undefined && condition(it, 'Recycling').reason === 'RecyclingFailed',
        `${label.claimed}=true`,
      );
    },
  },
  'recycle-one-too-many': {
    title: 'A recycled sandbox came back, not cleaned, and the pool has one too many',
    group,
    does: 'The return does not wake the pool, so it keeps a member over its replicas. The container is the one that was used. It takes 12 s.',
    traps: {
      T33: async (stage) => (await members(stage, 'web')).some(({ status }) => status.recycledCount > 0),
      T58: async (stage) => {
        const { spec, status } = await stage.get(sandboxsets, 'web');
        const count = (await members(stage, 'web')).length;
        return count > spec.replicas && count > status.replicas;
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { annotations: recyclable });
      const [claimed] = await claim(stage, 'job', 'web', { replicas: 1 });
      await poolFull(stage, 'web', 2);
      await recycle(stage, claimed?.metadata.name ?? '');
      await stage.object(sandboxes, claimed?.metadata.name ?? '', ({ status }) => status.recycledCount === 1);
    },
  },
};

/** As the manager asks for it when a session is deleted. */
const recycle = (stage: Stage, name: string, more: object = {}): Promise<unknown> =>
  stage.patch(sandboxes, name, { metadata: { annotations: { [annotation.cleanup]: 'true', ...recyclable, ...more } } });
