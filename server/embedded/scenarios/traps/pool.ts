import { resources } from '../../controllers/client/resources';
import { annotation } from '../../controllers/rules/keys';
import { claim, image, members, pool } from './kit';
import { condition, resourcequotas, type Stage } from './stage';
import type { TrapScenario } from './trap';

const { sandboxes, sandboxsets, pods, events } = resources;
const group = 'pool' as const;

const waitingReason = (pod: { status?: { containerStatuses?: { state?: { waiting?: { reason?: string } } }[] } }) =>
  pod.status?.containerStatuses?.[0]?.state?.waiting?.reason;

const available = async (stage: Stage, name: string): Promise<number> =>
  (await stage.get(sandboxsets, name)).status?.availableReplicas ?? 0;

const longName = `practice-${'long-'.repeat(12)}name`;

export const poolTraps: Record<string, TrapScenario> = {
  'pool-locked-member': {
    title: 'A member of a pool is locked by nobody',
    group,
    does: 'It counts as available, cannot be claimed, and scaling to zero ends at one, without an event. The updated counters keep their old numbers.',
    traps: {
      T16: async (stage) =>
        (await members(stage, 'web')).some(
          ({ metadata: { deletionTimestamp, annotations } }) =>
            deletionTimestamp === undefined && annotations[annotation.lock] !== undefined,
        ),
      T20: async (stage) => {
        const { status } = await stage.get(sandboxsets, 'web');
        return (status.updatedAvailableReplicas ?? 0) > status.availableReplicas;
      },
    },
    start: async (stage) => {
      const [member] = await pool(stage, 'web');
      const lock = { [annotation.lock]: '11111111-2222-3333-4444-555555555555' };
      await stage.patch(sandboxes, member?.metadata.name ?? '', { metadata: { annotations: lock } });
      await stage.patch(sandboxsets, 'web', { spec: { replicas: 0 } }, 'merge', 'scale');
      await stage.object(sandboxsets, 'web', ({ status }) => status?.availableReplicas === 1);
    },
  },
  'pool-image-pull': {
    title: 'A pool never fills: its image cannot be pulled',
    group,
    does: 'Its members stay Pending without condition or event; only their Pods say ErrImagePull.',
    traps: {
      T17: async (stage) => {
        const { spec } = await stage.get(sandboxsets, 'web');
        const waiting = (await stage.list(pods)).map(waitingReason);
        return (
          (await available(stage, 'web')) < spec.replicas && waiting.some((reason) => /ImagePull/.test(reason ?? ''))
        );
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { image: image('bad'), full: false });
      await stage.objects(pods, (all) => all.some((pod) => /ImagePull/.test(waitingReason(pod) ?? '')));
    },
  },
  'pool-throttled': {
    title: 'A pool stops growing: broken members use up its strategy',
    group,
    does: 'scaleStrategy.maxUnavailable is 1 and the one member being created crashes, so no other is tried.',
    traps: {
      T18: async (stage) => {
        const { spec, status } = await stage.get(sandboxsets, 'web');
        const creating = status.replicas - status.availableReplicas;
        return status.replicas < spec.replicas && creating >= spec.scaleStrategy.maxUnavailable;
      },
      T31: async (stage) =>
        (await members(stage, 'web')).some((it) => condition(it, 'Ready').reason === 'StartContainerFailed'),
    },
    start: async (stage) => {
      const more = { scaleStrategy: { maxUnavailable: 1 } };
      await pool(stage, 'web', { replicas: 4, image: image('crash'), full: false, more });
      const crashing = (it: Parameters<typeof condition>[0]) =>
        condition(it, 'Ready').reason === 'StartContainerFailed';
      await stage.objects(sandboxes, (all) => all.some(crashing));
      await stage.object(sandboxsets, 'web', ({ status }) => status?.replicas === 1);
    },
  },
  'pool-token-forced-off': {
    title: 'A pool asked for a service account token and gets none',
    group,
    does: 'The webhook sets automountServiceAccountToken to false whatever was written.',
    traps: {
      T36: async (stage) =>
        (await stage.get(sandboxsets, 'web')).spec.template.spec.automountServiceAccountToken === false,
    },
    needsDoor: true,
    start: async (stage) => {
      await pool(stage, 'web', { replicas: 1, spec: { automountServiceAccountToken: true } });
    },
  },
  'pool-over-capacity': {
    title: 'More Pods than the pool was sized for',
    group,
    does: 'Claims on an empty pool create sandboxes of their own, beyond its replicas.',
    traps: {
      T37: async (stage) => {
        const { spec } = await stage.get(sandboxsets, 'web');
        return (await stage.list(pods, 'agents.kruise.io/created-by=sandbox')).length > spec.replicas + 1;
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { replicas: 1 });
      await claim(stage, 'many', 'web', { replicas: 3 });
    },
  },
  'pool-same-name': {
    title: 'Two pools of one name in two namespaces',
    group,
    does: 'Whoever claims by name alone, as an administrator’s API key does, gets either of them.',
    traps: {
      T41: async (stage) => {
        const other = await stage.beside('other');
        return (await stage.list(sandboxsets))[0]?.metadata.name === (await other.list(sandboxsets))[0]?.metadata.name;
      },
    },
    start: async (stage) => {
      const other = await stage.beside('other');
      await Promise.all([pool(stage, 'web', { replicas: 1 }), pool(other, 'web', { replicas: 1 })]);
    },
  },
  'pool-container-wiped': {
    title: 'A merge patch wiped a pool’s container',
    group,
    does: 'Somebody patched containers with a name and an image; variables and resources of the container are gone.',
    traps: {
      T45: async (stage) => {
        const { spec } = await stage.get(sandboxsets, 'web');
        const [container] = spec.template.spec.containers;
        return container.env === undefined && Object.keys(container.resources ?? {}).length === 0;
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { replicas: 1 });
      const containers = [{ name: 'sandbox', image: image('v2') }];
      await stage.patch(sandboxsets, 'web', { spec: { template: { spec: { containers } } } });
      await stage.object(
        sandboxsets,
        'web',
        ({ status, metadata }) => status.observedGeneration === metadata.generation,
      );
    },
  },
  'pool-name-too-long': {
    title: 'A pool whose name is too long to be a label',
    group,
    does: 'The pool was accepted; creating each of its sandboxes fails, and it stays at zero.',
    traps: {
      T51: async (stage) => {
        const [set] = await stage.list(sandboxsets);
        const told = (await stage.list(events)).some(({ reason }) => reason === 'CreateSandboxFailed');
        return (set?.metadata.name.length ?? 0) > 63 && (set?.status?.replicas ?? 0) === 0 && told;
      },
    },
    start: async (stage) => {
      await pool(stage, longName, { full: false });
      await stage.objects(events, (all) => all.some(({ reason }) => reason === 'CreateSandboxFailed'));
    },
  },
  'pool-quota': {
    title: 'A quota stops the Pods of a pool',
    group,
    does: 'Members stay Pending with PodCreateFailed; the message names the quota.',
    traps: {
      T55: async (stage) =>
        (await members(stage, 'web')).some((it) => condition(it, 'Ready').reason === 'PodCreateFailed'),
    },
    start: async (stage) => {
      await stage.create(resourcequotas, 'pods', { hard: { pods: '1' } });
      await pool(stage, 'web', { replicas: 3, full: false });
      const refused = (it: Parameters<typeof condition>[0]) => condition(it, 'Ready').reason === 'PodCreateFailed';
      await stage.objects(sandboxes, (all) => all.some(refused));
      await stage.object(sandboxsets, 'web', ({ status }) => status?.availableReplicas === 1);
    },
  },
  'pool-no-template': {
    title: 'A pool without a template does nothing and says nothing',
    group,
    does: 'It was accepted. It has no status and no event, and scaling it is ignored.',
    traps: {
      T57: async (stage) => {
        const { spec, status } = await stage.get(sandboxsets, 'empty');
        const { spec: lost, status: silent } = await stage.get(sandboxsets, 'lost');
        return (
          spec.template === undefined && status === undefined && lost.templateRef !== undefined && silent === undefined
        );
      },
    },
    start: async (stage) => {
      await stage.create(sandboxsets, 'empty', { replicas: 2 });
      await stage.create(sandboxsets, 'lost', { replicas: 2, templateRef: { name: 'nowhere' } });
    },
  },
};
