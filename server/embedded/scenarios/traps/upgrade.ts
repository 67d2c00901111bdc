import { resources } from '../../controllers/client/resources';
import { label } from '../../controllers/rules/keys';
import { newImage, nowhere, sandbox, template, update, upgradingReason } from './kit';
import { condition, type Stage } from './stage';
import type { TrapScenario } from './trap';

const { sandboxes, pods, sandboxupdateops, events } = resources;
const group = 'upgrade' as const;

const phaseOf = async (stage: Stage, name: string): Promise<string | undefined> =>
  (await stage.get(sandboxupdateops, name)).status?.phase;

const hook = (command: string, timeoutSeconds = 30) => ({
  exec: { command: ['/bin/sh', '-c', command] },
  timeoutSeconds,
});
const unschedulable = { patch: { spec: nowhere } };

/** An update that has begun and cannot end: its Pod fits nowhere. */
async function stuckUpdate(stage: Stage, name = 'up-1'): Promise<void> {
  await update(stage, name, unschedulable);
  await stage.object(sandboxes, 'box-1', upgradingReason('UpgradePod'));
  await stage.object(pods, 'box-1', (pod) => condition(pod, 'PodScheduled').reason === 'Unschedulable');
  await stage.object(sandboxupdateops, name, ({ status }) => status?.updatingReplicas === 1);
}

export const upgradeTraps: Record<string, TrapScenario> = {
  'update-pod-pending': {
    title: 'An update hangs without a failure: the new Pod fits nowhere',
    group,
    does: 'The update says "updating" for ever and reports nothing; only the Pod of the sandbox tells why.',
    traps: {
      T6: async (stage) => {
        const { status } = await stage.get(sandboxupdateops, 'up-1');
        return status.phase === 'Updating' && status.updatingReplicas > 0 && (status.failedReplicas ?? 0) === 0;
      },
      T9: async (stage) =>
        upgradingReason('UpgradePod')(await stage.get(sandboxes, 'box-1')) &&
        condition(await stage.get(pods, 'box-1'), 'PodScheduled').reason === 'Unschedulable',
    },
    start: async (stage) => {
      await sandbox(stage, 'box-1');
      await stuckUpdate(stage);
    },
  },
  'update-delete-hangs': {
    title: 'A finished update cannot be deleted while another one runs',
    group,
    does: 'Its deletion waits for its finalizer, which nobody takes away as long as another update of the namespace is at work.',
    traps: {
      T7: async (stage) => {
        const { metadata } = await stage.get(sandboxupdateops, 'up-1');
        const hangs = metadata.deletionTimestamp !== undefined && metadata.finalizers.length > 0;
        return hangs && (await phaseOf(stage, 'up-2')) === 'Updating';
      },
    },
    start: async (stage) => {
      await sandbox(stage, 'box-1');
      await update(stage, 'up-1', newImage());
      await stage.object(sandboxupdateops, 'up-1', ({ status }) => status?.phase === 'Completed');
      await stuckUpdate(stage, 'up-2');
      await stage.remove(sandboxupdateops, 'up-1');
    },
  },
  'update-hook-fails': {
    title: 'A hook before the upgrade fails',
    group,
    does: 'The preUpgrade hook exits with 3. It has run several times; the sandbox is not upgraded.',
    traps: { T8: async (stage) => upgradingReason('PreUpgradeFailed')(await stage.get(sandboxes, 'box-1')) },
    start: async (stage) => {
      await sandbox(stage, 'box-1');
      await update(stage, 'up-1', { ...newImage(), lifecycle: { preUpgrade: hook('drain --on-error=fail') } });
      await stage.object(sandboxupdateops, 'up-1', ({ status }) => status?.phase === 'Failed');
    },
  },
  'update-checkpoint': {
    title: 'An update waits for a checkpoint that nobody makes',
    group,
    does: 'The strategy is CheckpointRestore, and no checkpoint controller is installed: the Checkpoint stays without a phase.',
    traps: {
      T10: async (stage) => {
        const [checkpoint] = await stage.list(resources.checkpoints);
        return upgradingReason('Checkpointing')(await stage.get(sandboxes, 'box-1')) && !checkpoint?.status?.phase;
      },
    },
    start: async (stage) => {
      await sandbox(stage, 'box-1');
      const patch = { spec: { containers: [{ name: 'sandbox', env: [{ name: 'MODE', value: 'prod' }] }] } };
      await update(stage, 'up-1', { patch, updateStrategy: { type: 'CheckpointRestore' } });
      await stage.object(sandboxes, 'box-1', upgradingReason('Checkpointing'));
      await stage.objects(resources.checkpoints, (all) => all.length > 0);
    },
  },
  'update-never-ends': {
    title: 'An update of nothing but hooks never ends',
    group,
    does: 'It has no patch, and its sandboxes are healthy: there is nothing to upgrade, and it waits for that.',
    traps: {
      T11: async (stage) => {
        const { spec, status } = await stage.get(sandboxupdateops, 'up-1');
        const { status: target } = await stage.get(sandboxes, 'box-1');
        return status.phase === 'Updating' && spec.patch === undefined && target.phase !== 'Upgrading';
      },
    },
    start: async (stage) => {
      await sandbox(stage, 'box-1');
      await update(stage, 'up-1', { lifecycle: { postUpgrade: hook('selftest') } });
      await stage.object(sandboxupdateops, 'up-1', ({ status }) => status?.updatingReplicas === 1);
    },
  },
  'update-leaves-out': {
    title: 'An update completes without a sandbox that was still pausing',
    group,
    does: 'The update counts one sandbox and is Completed; another one that it selects has the old image.',
    traps: {
      T12: async (stage) => {
        const { status } = await stage.get(sandboxupdateops, 'up-1');
        const left = await stage.get(sandboxes, 'sleepy');
        const pausing = left.status.phase === 'Paused' && condition(left, 'SandboxPaused').status === 'False';
        return status.phase === 'Completed' && status.replicas === 1 && pausing;
      },
    },
    start: async (stage) => {
      const slow = { annotations: { 'sim.local/stop-delay': '1h' }, spec: { terminationGracePeriodSeconds: 3600 } };
      await Promise.all([sandbox(stage, 'box-1'), sandbox(stage, 'sleepy', slow)]);
      await stage.patch(sandboxes, 'sleepy', { spec: { paused: true } });
      await stage.object(sandboxes, 'sleepy', (it) => condition(it, 'SandboxPaused').status === 'False');
      await update(stage, 'up-1', { ...newImage(), stateFilter: { states: ['Running', 'Paused'] } });
      await stage.object(sandboxupdateops, 'up-1', ({ status }) => status?.phase === 'Completed');
    },
  },
  'update-template-ref': {
    title: 'An update of a sandbox that refers to a template never ends',
    group,
    does: 'The sandbox has no template of its own that could be patched; the update waits for ever.',
    traps: {
      T11: async (stage) => {
        const { spec } = await stage.get(sandboxes, 'ref');
        return (
          (await phaseOf(stage, 'up-1')) === 'Updating' && spec.templateRef !== undefined && spec.template === undefined
        );
      },
    },
    start: async (stage) => {
      await stage.create(resources.sandboxtemplates, 'base', { template: template() });
      const metadata = { labels: { batch: 'a' } };
      await stage.until(
        () => stage.create(sandboxes, 'ref', { templateRef: { name: 'base' } }, metadata),
        () => true,
        'the sandbox',
      );
      await stage.object(sandboxes, 'ref', ({ status }) => status?.phase === 'Running');
      await update(stage, 'up-1', newImage());
      await stage.object(sandboxupdateops, 'up-1', ({ status }) => status?.updatingReplicas === 1);
    },
  },
  'edit-ignored': {
    title: 'An edit of a sandbox’s template is ignored',
    group,
    does: 'Only images, resources and metadata can change in place; this edit changed a variable, and an event says so on every look.',
    traps: {
      T14: async (stage) => {
        const { status } = await stage.get(sandboxes, 'edited');
        const { metadata } = await stage.get(pods, 'edited');
        const told = (await stage.list(events)).some(({ reason }) => reason === 'InplaceUpdateForbidden');
        return told && metadata.labels[label.podTemplateHash] !== status.updateRevision;
      },
    },
    start: async (stage) => {
      await sandbox(stage, 'edited');
      const op = { op: 'replace', path: '/spec/template/spec/containers/0/env/0/value', value: 'prod' };
      await stage.patch(sandboxes, 'edited', [op], 'json');
      await stage.objects(events, (all) => all.some(({ reason }) => reason === 'InplaceUpdateForbidden'));
    },
  },
  'update-no-runtime': {
    title: 'An update runs hooks in a sandbox without a runtime',
    group,
    does: 'Nothing in the sandbox can run the hook, so the upgrade fails before it begins.',
    traps: {
      T46: async (stage) => {
        const { spec } = await stage.get(sandboxes, 'bare');
        const runtime = (spec.template.spec.initContainers ?? []).length > 0 || spec.runtimes !== undefined;
        return !runtime && (await stage.get(sandboxupdateops, 'up-1')).spec.lifecycle !== undefined;
      },
    },
    start: async (stage) => {
      const annotations = { 'agents.kruise.io/runtime-url': 'http://127.0.0.1:49983' };
      await sandbox(stage, 'bare', { runtime: null, metadata: { annotations } });
      await update(stage, 'up-1', { ...newImage(), lifecycle: { preUpgrade: hook('drain') } });
      await stage.object(sandboxes, 'bare', upgradingReason('PreUpgradeFailed'));
    },
  },
};
