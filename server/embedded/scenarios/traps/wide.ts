import { ApiError } from '../../controllers/client/api';
import { collectionPath, resources } from '../../controllers/client/resources';
import { pool, sandbox, template } from './kit';
import type { TrapScenario } from './trap';

const { sandboxes, sandboxsets } = resources;

export const wideTraps: Record<string, TrapScenario> = {
  'controllers-lag': {
    title: 'The controllers do not follow',
    group: 'controller',
    does: 'Objects of this namespace are edited and nothing happens: their generation runs ahead of what was observed.',
    traps: {
      T21: async (stage) => {
        const { metadata, status } = await stage.get(sandboxes, 'ignored');
        return (metadata.generation ?? 0) > status.observedGeneration;
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { replicas: 1 });
      await sandbox(stage, 'ignored');
      await stage.fault('controllers-stopped', { namespace: stage.namespace });
      await stage.patch(sandboxes, 'ignored', { spec: { paused: true } });
      await stage.patch(sandboxsets, 'web', { spec: { replicas: 3 } }, 'merge', 'scale');
    },
  },
  'webhooks-away': {
    title: 'The webhooks are down: some writes fail, others do not',
    group: 'webhook',
    does: 'New pools and edits of templates answer 500; scaling by the subresource, pausing and deleting still work. In the whole cluster.',
    wide: true,
    needsDoor: true,
    traps: {
      T59: async (stage) => {
        const path = collectionPath(sandboxsets, stage.namespace);
        const body = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', metadata: { name: 'new' } };
        const spec = { replicas: 1, template: template() };
        const why = await stage.api.create(path, { ...body, spec }).catch((error: unknown) => error);
        return why instanceof ApiError && why.code === 500 && why.message.includes('failed calling webhook');
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { replicas: 1 });
      await stage.fault('webhooks-down');
    },
  },
};
