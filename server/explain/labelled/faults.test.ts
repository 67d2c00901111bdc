import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FindingCode } from '@/lib/domain/diagnosis/codes';
import { resources } from '@/server/embedded/controllers/client/resources';
import { image, pause, ready, resume, sandbox } from '@/server/embedded/scenarios/traps/kit';
import type { Stage } from '@/server/embedded/scenarios/traps/stage';
import { verdictsOf } from '../verdicts';
import { startLabelled, worldOf } from './cluster.testing';

let cluster: Awaited<ReturnType<typeof startLabelled>>;
beforeAll(async () => {
  cluster = await startLabelled();
});
afterAll(() => cluster.close());

const { pods, sandboxes } = resources;
const box = (stage: Stage, wanted: Parameters<Stage['object']>[2]) => stage.object(pods, 'box', wanted);
const waiting = (reason: RegExp) => (pod: Parameters<Parameters<Stage['object']>[2]>[0]) =>
  reason.test(pod.status?.containerStatuses?.[0]?.state?.waiting?.reason ?? '');

/** What breaks beneath the controllers, until the sandbox `box` shows it. */
const broken: [fault: string, code: FindingCode, run: (stage: Stage) => Promise<unknown>][] = [
  [
    'node-other-image-name',
    'InitImageMismatch',
    async (stage) => {
      await sandbox(stage, 'box');
      await pause(stage, 'box');
      await stage.fault('node-other-image-name', { namespace: stage.namespace, as: 'tag' });
      await resume(stage, 'box');
      await box(stage, ({ status }) => status?.phase === 'Running');
    },
  ],
  [
    'node-crash-loop',
    'CrashLoop',
    async (stage) => {
      await sandbox(stage, 'box');
      await pause(stage, 'box');
      await stage.fault('node-crash-loop', { namespace: stage.namespace });
      await resume(stage, 'box');
      await box(stage, waiting(/CrashLoop/));
      await stage.object(sandboxes, 'box', ({ status }) => status?.phase === 'Running');
    },
  ],
  [
    'node-pull-error',
    'ImagePull',
    async (stage) => {
      await stage.fault('node-pull-error', { namespace: stage.namespace });
      const containers = [{ name: 'sandbox', image: image() }];
      await stage.create(sandboxes, 'box', { template: { spec: { containers } } });
      await box(stage, waiting(/Pull/));
    },
  ],
  [
    'controllers-stopped',
    'ControllerLag',
    async (stage) => {
      await sandbox(stage, 'box');
      await stage.fault('controllers-stopped', { namespace: stage.namespace });
      await stage.patch(sandboxes, 'box', { spec: { paused: true } });
    },
  ],
  [
    'node-down',
    'NodeNotReady',
    async (stage) => {
      await sandbox(stage, 'box');
      const node = (await stage.get(pods, 'box')).spec.nodeName;
      await stage.fault('node-down', { node, evictAfterSeconds: 3600 });
      // Nobody on the node confirms that the Pod has ended.
      await stage.patch(sandboxes, 'box', { spec: { paused: true } });
      await box(stage, ({ metadata }) => metadata.deletionTimestamp !== undefined);
    },
  ],
];

it('all is well again once a fault has ended', async () => {
  const stage = await cluster.stage('mended');
  await sandbox(stage, 'box');
  await pause(stage, 'box');
  const end = await stage.fault('node-slow-start', { namespace: stage.namespace, seconds: 1 });
  await end();
  await resume(stage, 'box');
  await ready(stage, 'box');
  const [verdict] = verdictsOf(worldOf(await cluster.snapshot(), [stage.namespace], 120));
  expect(verdict).toMatchObject({ state: 'Running', severity: 'calm', hints: [] });
  expect(verdict?.cause).toBeUndefined();
});

it.each(broken)('%s: %s', async (fault, code, run) => {
  const stage = await cluster.stage(`broken-${fault}`);
  await run(stage);
  const verdicts = verdictsOf(worldOf(await cluster.snapshot(), [stage.namespace], 120));
  expect(verdicts.find(({ subject }) => subject.name === 'box')?.cause?.code).toBe(code);
});
