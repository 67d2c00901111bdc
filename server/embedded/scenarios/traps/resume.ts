import { resources } from '../../controllers/client/resources';
import {
  changeImage,
  image,
  newImage,
  nowhere,
  pause,
  ready,
  resume,
  runtimeByDigest,
  sandbox,
  update,
  upgradingReason,
} from './kit';
import { condition, type Stage } from './stage';
import type { TrapScenario } from './trap';

const { sandboxes, pods, sandboxupdateops } = resources;
const group = 'resume' as const;

/** The comparison of the controller's gate: an init container that is reported under another name than the spec's. */
async function imageDiffers(stage: Stage, name: string): Promise<boolean> {
  const { spec, status, metadata } = await stage.get(pods, name);
  const [wanted] = spec.initContainers;
  const [reported] = status.initContainerStatuses ?? [];
  return metadata.deletionTimestamp === undefined && status.phase === 'Running' && wanted.image !== reported.image;
}

const pausedOnly = { stateFilter: { states: ['Paused'] } };

export const resumeTraps: Record<string, TrapScenario> = {
  'resume-digest': {
    title: 'A resume hangs: the runtime image is pinned by digest',
    group,
    does: 'A sandbox that worked is paused and asked to come back. It stays Resuming for ever, without event or error.',
    traps: {
      T1: async (stage) => {
        const it = await stage.get(sandboxes, 'pinned');
        const resumed = condition(it, 'SandboxResumed').status;
        return it.status.phase === 'Resuming' && resumed === 'False' && (await imageDiffers(stage, 'pinned'));
      },
    },
    start: async (stage) => {
      await sandbox(stage, 'pinned', { runtime: runtimeByDigest });
      await pause(stage, 'pinned');
      await resume(stage, 'pinned');
      await stage.object(pods, 'pinned', ({ status }) => status?.phase === 'Running');
    },
  },
  'resume-digest-in-update': {
    title: 'The same hang inside an update of a paused sandbox',
    group,
    does: 'An update wakes a paused sandbox whose runtime is pinned by digest. Deleting the update does not free it.',
    traps: {
      T2: async (stage) =>
        upgradingReason('Resuming')(await stage.get(sandboxes, 'pinned')) &&
        (await imageDiffers(stage, 'pinned')) &&
        (await stage.list(sandboxupdateops)).length === 0,
    },
    start: async (stage) => {
      await sandbox(stage, 'pinned', { runtime: runtimeByDigest });
      await pause(stage, 'pinned');
      await update(stage, 'up-1', { ...newImage(), ...pausedOnly });
      await stage.object(sandboxes, 'pinned', upgradingReason('Resuming'));
      await stage.object(pods, 'pinned', ({ status }) => status?.phase === 'Running');
      await stage.remove(sandboxupdateops, 'up-1');
      await stage.objects(sandboxupdateops, (all) => all.length === 0);
    },
  },
  'resume-pod-pending': {
    title: 'A resume waits for a Pod that fits nowhere',
    group,
    does: 'The template was edited while the sandbox was paused; its new Pod cannot be scheduled. The sandbox only says Resuming.',
    traps: {
      T3: async (stage) =>
        (await stage.get(sandboxes, 'asleep')).status.phase === 'Resuming' &&
        (await stage.get(pods, 'asleep')).status.phase === 'Pending',
    },
    start: async (stage) => {
      await sandbox(stage, 'asleep');
      await pause(stage, 'asleep');
      await stage.patch(sandboxes, 'asleep', { spec: { template: { spec: nowhere } } });
      await resume(stage, 'asleep');
      await stage.object(pods, 'asleep', (pod) => condition(pod, 'PodScheduled').reason === 'Unschedulable');
    },
  },
  'resume-init-fails': {
    title: 'A resumed sandbox cannot initialise its runtime',
    group,
    does: 'The sandbox is Running again but not Ready: /init is refused, again and again.',
    traps: {
      T4: async (stage) => {
        const it = await stage.get(sandboxes, 'claimed');
        const { status, reason } = condition(it, 'RuntimeInitialized');
        return it.status.phase === 'Running' && status === 'False' && reason === 'Failed';
      },
      // state(sandbox) calls a Running one that is not Ready dead, although it is on its way.
      T30: async (stage) => condition(await stage.get(sandboxes, 'claimed'), 'Ready').status === 'False',
    },
    start: async (stage) => {
      const annotations = { 'agents.kruise.io/init-runtime-request': '{"accessToken":"practice"}' };
      await stage.fault('runtime-init-fails', { namespace: stage.namespace });
      await sandbox(stage, 'claimed', { metadata: { annotations } });
      await pause(stage, 'claimed');
      await resume(stage, 'claimed');
      await stage.object(sandboxes, 'claimed', (it) => condition(it, 'RuntimeInitialized').reason === 'Failed');
    },
  },
  'pause-loses-data': {
    title: 'Hibernate was asked for, the sandbox was stopped',
    group,
    does: 'The sandbox asks to keep its memory and files over a pause; the Pod was simply deleted. It still shows where it ran.',
    traps: {
      T28: async (stage) => {
        const it = await stage.get(sandboxes, 'hibernating');
        return (
          it.spec.pauseStrategy.type === 'Hibernate' && condition(it, 'SandboxPaused').reason === 'StopPauseSucceed'
        );
      },
      T29: async (stage) => {
        const { status } = await stage.get(sandboxes, 'hibernating');
        return status.phase === 'Paused' && status.podInfo.podIP !== undefined;
      },
    },
    start: async (stage) => {
      const more = { pauseStrategy: { type: 'Hibernate' }, persistentContents: ['memory', 'filesystem'] };
      await sandbox(stage, 'hibernating', { more });
      await pause(stage, 'hibernating');
    },
  },
  'resume-waits-for-update': {
    title: 'A paused sandbox was woken by an update that is paused itself',
    group,
    does: 'The sandbox was resumed for an update and waits for its second half, which does not come.',
    traps: {
      T47: async (stage) =>
        upgradingReason('ResumeSucceed')(await stage.get(sandboxes, 'half')) &&
        (await stage.get(sandboxupdateops, 'up-1')).spec.paused === true,
    },
    start: async (stage) => {
      await sandbox(stage, 'half', { annotations: { 'sim.local/start-delay': '1s' } });
      await pause(stage, 'half');
      await update(stage, 'up-1', { ...newImage(), ...pausedOnly });
      await stage.object(sandboxes, 'half', upgradingReason('Resuming'));
      await stage.patch(sandboxupdateops, 'up-1', { spec: { paused: true } });
      await stage.object(sandboxes, 'half', upgradingReason('ResumeSucceed'));
    },
  },
  'resume-leaves-finalizer': {
    title: 'A finalizer was left on a running sandbox',
    group,
    does: 'Its user un-paused the sandbox while an update was waking it. It runs, with a finalizer that makes its deletion wait for the controller.',
    traps: {
      T53: async (stage) => {
        const { status, spec, metadata } = await stage.get(sandboxes, 'woken');
        const held = metadata.finalizers.includes('agents.kruise.io/sandbox');
        return status.phase === 'Running' && spec.paused !== true && held;
      },
    },
    start: async (stage) => {
      await sandbox(stage, 'woken', { annotations: { 'sim.local/start-delay': '1s' } });
      await pause(stage, 'woken');
      await update(stage, 'up-1', { ...newImage(), ...pausedOnly });
      await stage.object(sandboxes, 'woken', upgradingReason('Resuming'));
      await stage.patch(sandboxes, 'woken', { spec: { paused: false } });
      await stage.object(sandboxupdateops, 'up-1', ({ status }) => status?.phase === 'Completed');
      await ready(stage, 'woken');
    },
  },
  'image-same-digest': {
    title: 'An update in place never ends: the new tag is the same image',
    group: 'upgrade',
    does: 'The image was changed to another tag of the same digest. The container reports the id it had before, so the update waits.',
    traps: {
      T15: async (stage) => {
        const waits = condition(await stage.get(sandboxes, 'retagged'), 'InplaceUpdate').reason === 'InplaceUpdating';
        const { metadata, status } = await stage.get(pods, 'retagged');
        const state = JSON.parse(metadata.annotations['agents.kruise.io/inplace-update-state'] ?? '{}');
        return waits && state.lastContainerStatuses.sandbox.imageID === status.containerStatuses[0].imageID;
      },
    },
    start: async (stage) => {
      const digest = `@sha256:${'5a'.repeat(32)}`;
      await sandbox(stage, 'retagged', { image: image(`v1${digest}`) });
      await changeImage(stage, sandboxes, 'retagged', image(`v1-release${digest}`));
      await stage.object(pods, 'retagged', ({ status }) => status.containerStatuses?.[0]?.image.includes('release'));
    },
  },
};
