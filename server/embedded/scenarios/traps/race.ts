import { resources } from '../../controllers/client/resources';
import { image, newImage, sandbox, update } from './kit';
import type { Stage } from './stage';
import type { TrapScenario } from './trap';

const { sandboxupdateops } = resources;

export const raceTraps: Record<string, TrapScenario> = {
  'update-race': {
    title: 'Updates created at the same moment: one runs, the others block',
    group: 'upgrade',
    does: 'All were accepted. Those that lost have no phase and stay so after the winner is done, and no new update is accepted until they are edited or deleted.',
    traps: {
      T48: async (stage) => {
        const all = await stage.list(sandboxupdateops);
        const silent = all.filter(({ status, metadata }) => !status?.phase && metadata.finalizers.length === 0);
        return silent.length > 0 && all.every(({ status }) => status?.phase !== 'Updating');
      },
    },
    start: raceOfUpdates,
  },
};

/**
 * The webhook of the recorded cluster read a copy that was a moment old and accepted all. Here it sees everything, so what ran
 * is made to look finished while the others are created, with the controller held meanwhile.
 */
async function raceOfUpdates(stage: Stage): Promise<void> {
  const setStatus = (name: string, status: object | null) =>
    stage.patch(sandboxupdateops, name, { status }, 'merge', 'status');
  const none = { replicas: 0, updatedReplicas: 0, updatingReplicas: 0, failedReplicas: 0 };
  await sandbox(stage, 'box-1', { annotations: { 'sim.local/start-delay': '1s' } });
  await update(stage, 'up-1', newImage());
  await stage.object(sandboxupdateops, 'up-1', (it) => it.status?.phase === 'Updating');
  const release = await stage.fault('controllers-stopped', {
    controllers: ['sandboxupdateops'],
    namespace: stage.namespace,
  });
  await setStatus('up-1', { phase: 'Completed' });
  for (const name of ['up-2', 'up-3']) {
    await update(stage, name, { patch: { spec: { containers: [{ name: 'sandbox', image: image('v3') }] } } });
    await setStatus(name, { ...none, phase: 'Completed' });
  }
  // In this order: whoever sees that the others have no phase has seen that the first one is at work.
  await setStatus('up-1', { phase: 'Updating' });
  for (const name of ['up-2', 'up-3']) await setStatus(name, null);
  await release();
  await stage.object(sandboxupdateops, 'up-1', (it) => it.status?.phase === 'Completed');
}
