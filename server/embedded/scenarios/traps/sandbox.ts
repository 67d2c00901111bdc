import { objectPath, resources } from '../../controllers/client/resources';
import { annotation, label } from '../../controllers/rules/keys';
import { ensureNode } from '../objects';
import { ignoreMissing } from '../sessions';
import { claim, pool, ready, sandbox } from './kit';
import { condition, type Stage } from './stage';
import type { TrapScenario } from './trap';

const { sandboxes, sandboxsets, sandboxclaims, pods, nodes } = resources;
const group = 'sandbox' as const;

async function losePod(stage: Stage, name: string): Promise<void> {
  await stage.api.remove(stage.path(pods, name), { gracePeriodSeconds: 0 });
  await stage.object(sandboxes, name, ({ status }) => status.phase === 'Failed');
}

export const sandboxTraps: Record<string, TrapScenario> = {
  'pod-deleted': {
    title: 'The Pod of a sandbox was deleted: the sandbox is Failed for ever',
    group,
    does: 'Nobody makes a new Pod. The sandbox keeps Ready=True and the address it had.',
    traps: {
      T25: async (stage) => {
        const { status } = await stage.get(sandboxes, 'lost');
        return status.phase === 'Failed' && status.message === 'Pod Not Found';
      },
      T54: async (stage) => condition(await stage.get(sandboxes, 'lost'), 'Ready').status === 'True',
    },
    start: async (stage) => {
      await sandbox(stage, 'lost');
      await losePod(stage, 'lost');
    },
  },
  'drain-blocked': {
    title: 'A node cannot be drained: sandboxes run on it',
    group: 'node',
    does: 'The node is cordoned. Evicting the Pods of sandboxes is refused, and deleting them kills the sandboxes.',
    traps: {
      T26: async (stage) => {
        const { spec } = await stage.get(pods, 'busy');
        const node = await stage.api.get(objectPath(nodes, { metadata: { name: spec.nodeName } }));
        const cordoned = JSON.stringify(node).includes('"unschedulable":true');
        return cordoned && (await stage.list(pods, `${label.createdBy}=sandbox`)).length > 0;
      },
    },
    start: async (stage) => {
      const name = `${stage.namespace}-node`;
      const path = objectPath(nodes, { metadata: { name } });
      stage.cleanUps.push(() => ignoreMissing(stage.api.remove(path)));
      await ensureNode(stage.api, name, { unschedulable: true });
      await stage.create(sandboxes, 'busy', { template: podOn(name) }, { labels: { batch: 'a' } });
      await ready(stage, 'busy');
    },
  },
  'dead-never-cleaned': {
    title: 'A dead claimed sandbox is never cleaned up',
    group,
    does: 'It is Failed, and its shutdownTime has passed: nobody looks at that any more.',
    traps: {
      T27: async (stage) => {
        const [it] = await stage.list(sandboxes, `${label.claimed}=true`);
        return it?.status.phase === 'Failed' && Date.parse(it.spec.shutdownTime) < Date.now();
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { replicas: 1 });
      const [claimed] = await claim(stage, 'job', 'web', { replicas: 1 });
      const name = claimed?.metadata.name ?? '';
      await losePod(stage, name);
      await stage.patch(sandboxes, name, { spec: { shutdownTime: new Date(Date.now() - 60_000).toISOString() } });
    },
  },
  'claim-pool-gone': {
    title: 'A claim outlives its pool',
    group,
    does: 'The claim was fulfilled; then its pool was deleted. It says SandboxSetNotFound, and its time to live begins again and again.',
    traps: {
      T34: async (stage) =>
        condition(await stage.get(sandboxclaims, 'job'), 'Completed').reason === 'SandboxSetNotFound',
    },
    start: async (stage) => {
      await pool(stage, 'web', { replicas: 1 });
      await claim(stage, 'job', 'web', { replicas: 1 });
      await stage.remove(sandboxsets, 'web');
      await stage.objects(sandboxsets, (all) => all.length === 0);
      await stage.patch(sandboxclaims, 'job', { metadata: { annotations: { touched: '1' } } });
      await stage.object(sandboxclaims, 'job', (it) => condition(it, 'Completed').reason === 'SandboxSetNotFound');
    },
  },
  'pending-without-reason': {
    title: 'A sandbox is Pending for ever and does not say why',
    group,
    does: 'One asks for a runtime that is not installed, one refers to a template that does not exist. Neither has a condition, an event or a Pod.',
    traps: {
      T35: async (stage) => {
        const all = await stage.list(sandboxes);
        const silent = all.filter((it) => it.status.phase === 'Pending' && condition(it, 'Ready').status === undefined);
        return silent.length === 2 && (await stage.list(pods)).length === 0;
      },
    },
    start: async (stage) => {
      const more = { runtimes: [{ name: 'not-installed' }] };
      await stage.create(sandboxes, 'no-runtime', { template: podOn(), ...more });
      await stage.create(sandboxes, 'no-template', { templateRef: { name: 'not-there' } });
      await stage.objects(sandboxes, (all) => all.every(({ status }) => status?.phase === 'Pending'));
    },
  },
  'secrets-in-annotations': {
    title: 'A claimed sandbox carries its token in an annotation',
    group,
    does: 'Whoever may read sandboxes reads their tokens and what their runtime was started with.',
    traps: {
      T42: async (stage) => {
        const [it] = await stage.list(sandboxes, `${label.claimed}=true`);
        const { annotations = {} } = it?.metadata ?? {};
        return annotation.accessToken in annotations && annotation.initRequest in annotations;
      },
    },
    start: async (stage) => {
      await pool(stage, 'web', { replicas: 1 });
      await claim(stage, 'job', 'web', { replicas: 1, envVars: { SESSION: 'practice' } });
    },
  },
  'claim-counts-deleted': {
    title: 'A claim reports success with a sandbox that is gone',
    group,
    does: 'The runtime of the sandbox could not be initialised, so it was deleted, and still counted.',
    traps: {
      T49: async (stage) => {
        const { metadata, status } = await stage.get(sandboxclaims, 'bad');
        const owned = (await stage.list(sandboxes)).filter(
          (it) => it.metadata.annotations[annotation.owner] === metadata.uid,
        );
        return status.phase === 'Completed' && status.claimedReplicas > owned.length;
      },
    },
    start: async (stage) => {
      await pool(stage, 'web');
      const annotations = { 'agents.kruise.io/runtime-url': 'http://127.0.0.1:1' };
      await claim(stage, 'bad', 'web', { replicas: 1, claimTimeout: '30s', annotations });
    },
  },
};

/** A template whose Pod goes to one node, cordoned or not. */
function podOn(nodeName?: string) {
  return {
    metadata: { labels: { app: 'practice' } },
    spec: {
      ...(nodeName === undefined ? {} : { nodeName }),
      containers: [{ name: 'sandbox', image: 'registry.local/agents/practice:v1' }],
    },
  };
}
