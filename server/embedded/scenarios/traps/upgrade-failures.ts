import { setTimeout as sleep } from 'node:timers/promises';
import { resources } from '../../controllers/client/resources';
import { label } from '../../controllers/rules/keys';
import { changeImage, image, newImage, ready, sandbox, update, upgradingReason } from './kit';
import type { Stage } from './stage';
import { condition } from './stage';
import type { TrapScenario } from './trap';

const { sandboxes, sandboxupdateops } = resources;
const group = 'upgrade' as const;

const badImage = { patch: { spec: { containers: [{ name: 'sandbox', image: image('bad') }] } } };
const failing = { ...newImage(), lifecycle: { preUpgrade: { exec: { command: ['/bin/false', '--fail'] } } } };

const ends = (stage: Stage, name: string, phase: string) =>
  stage.object(sandboxupdateops, name, ({ status }) => status?.phase === phase);

export const upgradeFailureTraps: Record<string, TrapScenario> = {
  'update-blocked': {
    title: 'An update is blocked by a sandbox that failed',
    group,
    does: 'One of four sandboxes has failed and keeps its place: the others wait for ever, and the update still says Updating.',
    traps: {
      T5: async (stage) => {
        const { status, spec } = await stage.get(sandboxupdateops, 'up-1');
        const { failedReplicas = 0, updatedReplicas = 0, updatingReplicas = 0, replicas } = status;
        return (
          status.phase === 'Updating' &&
          failedReplicas >= spec.updateStrategy.maxUnavailable &&
          failedReplicas + updatedReplicas + updatingReplicas < replicas
        );
      },
    },
    start: async (stage) => {
      await Promise.all([1, 2, 3, 4].map((number) => sandbox(stage, `box-${number}`)));
      await update(stage, 'up-1', { ...badImage, updateStrategy: { maxUnavailable: 1 } });
      await stage.object(sandboxupdateops, 'up-1', ({ status }) => status?.failedReplicas === 1);
    },
  },
  'update-stale-label': {
    title: 'A sandbox is still labelled as failed although it has recovered',
    group,
    does: 'The update failed and is over; then somebody repaired the image. The sandbox runs, its label says that its upgrade failed.',
    traps: {
      T13: async (stage) => {
        const { metadata, status } = await stage.get(sandboxes, 'box-1');
        return metadata.labels[label.upgradeFailed] === 'true' && status.phase === 'Running';
      },
    },
    start: async (stage) => {
      await sandbox(stage, 'box-1');
      await update(stage, 'up-1', badImage);
      await ends(stage, 'up-1', 'Failed');
      await changeImage(stage, sandboxes, 'box-1', image('v3'));
      await ready(stage, 'box-1');
    },
  },
  'update-identical-retry': {
    title: 'A retry with the identical update fails at once',
    group,
    does: 'The failed update was deleted and created again as it was. Nothing of the sandbox changes, so it still counts as failed.',
    traps: {
      T43: async (stage) => {
        const { status } = await stage.get(sandboxupdateops, 'retry');
        const { spec, ...it } = await stage.get(sandboxes, 'box-1');
        const failed = upgradingReason('PreUpgradeFailed')({ spec, ...it });
        return status.phase === 'Failed' && failed && spec.upgradePolicy !== undefined;
      },
    },
    start: async (stage) => {
      await sandbox(stage, 'box-1');
      await update(stage, 'up-1', failing);
      await ends(stage, 'up-1', 'Failed');
      await stage.remove(sandboxupdateops, 'up-1');
      await stage.objects(sandboxupdateops, (all) => all.length === 0);
      // Times are whole seconds: only then does it show that the failure was there before.
      await sleep(2_000, undefined, { signal: stage.signal });
      await update(stage, 'retry', failing);
      await ends(stage, 'retry', 'Failed');
    },
  },
  'update-leftover-policy': {
    title: 'A deleted update left its policy on a healthy sandbox',
    group,
    does: 'spec.upgradePolicy stays although no update is there: the next edit of the template replaces the Pod.',
    traps: { T44: leftoverPolicy, T56: leftoverPolicy },
    start: async (stage) => {
      await sandbox(stage, 'box-1');
      await update(stage, 'up-1', { lifecycle: { postUpgrade: { exec: { command: ['/bin/true'] } } } });
      await stage.object(sandboxes, 'box-1', ({ spec }) => spec.upgradePolicy !== undefined);
      await stage.object(sandboxupdateops, 'up-1', ({ status }) => status?.updatingReplicas === 1);
      await stage.remove(sandboxupdateops, 'up-1');
      await stage.object(sandboxes, 'box-1', ({ metadata }) => metadata.labels[label.updateOps] === undefined);
    },
  },
  'update-bad-patch': {
    title: 'An update whose patch cannot be merged',
    group,
    does: 'The patch was accepted as it is. Every try to apply it fails, later and later, and the update says Updating for ever.',
    traps: {
      T50: async (stage) => {
        const { status } = await stage.get(sandboxupdateops, 'up-1');
        const { updatedReplicas = 0, updatingReplicas = 0, failedReplicas = 0, replicas, phase } = status;
        const told = (await stage.list(resources.events)).some(({ reason }) => reason === 'PatchFailed');
        return (
          phase === 'Updating' && updatedReplicas + updatingReplicas + failedReplicas === 0 && replicas > 0 && told
        );
      },
    },
    start: async (stage) => {
      await sandbox(stage, 'box-1');
      await update(stage, 'up-1', { patch: { spec: { containers: { name: 'sandbox' } } } });
      await stage.objects(resources.events, (all) => all.some(({ reason }) => reason === 'PatchFailed'));
      await stage.object(sandboxupdateops, 'up-1', ({ status }) => status?.replicas === 1);
    },
  },
  'upgrade-looks-paused': {
    title: 'An upgrade takes long, and the sandbox counts as paused',
    group,
    does: 'The new Pod crashes. The API’s state of a sandbox in an upgrade is "paused", although nobody paused it.',
    traps: {
      T9: async (stage) => upgradingReason('UpgradePodFailed')(await stage.get(sandboxes, 'box-1')),
      // state(sandbox) knows no upgrade: what is not Running counts as paused.
      T30: async (stage) => {
        const it = await stage.get(sandboxes, 'box-1');
        const owned = it.metadata.ownerReferences.length > 0;
        return !owned && it.status.phase === 'Upgrading' && condition(it, 'SandboxPaused').status === undefined;
      },
    },
    start: async (stage) => {
      await sandbox(stage, 'box-1');
      await update(stage, 'up-1', { patch: { spec: { containers: [{ name: 'sandbox', image: image('crash') }] } } });
      await ends(stage, 'up-1', 'Failed');
    },
  },
};

async function leftoverPolicy(stage: Stage): Promise<boolean> {
  const { spec, metadata } = await stage.get(sandboxes, 'box-1');
  return spec.upgradePolicy !== undefined && metadata.labels[label.updateOps] === undefined;
}
