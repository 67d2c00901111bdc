import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { UpgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import { selectionLabel, upgradeDraft } from '@/lib/contracts/upgrades';
import { failureGroups } from '@/lib/domain/upgrades/failure-groups';
import { manifestOf } from '@/lib/domain/upgrades/manifest';
import { readOperation } from '@/lib/domain/upgrades/operation-reading';
import { nextSteps, type RescueKind } from '@/lib/domain/upgrades/rescue';
import { sandboxStage } from '@/lib/domain/upgrades/stages';
import { sandboxUpdateOpsSchema } from '../client/objects';
import { collectionPath, resources } from '../client/resources';
import { reason, startSandboxTests } from '../sandbox/testing';

let tests: Awaited<ReturnType<typeof startSandboxTests>>;
beforeAll(async () => {
  tests = await startSandboxTests();
});
afterAll(() => tests.stop());

const hook = (...command: string[]) => ({ exec: { command }, timeoutSeconds: 5 });
const patch = (image: string) => ({ spec: { containers: [{ name: 'main', image }] } });
const template = {
  spec: {
    initContainers: [{ name: 'runtime', image: 'agent-runtime:v1', restartPolicy: 'Always' }],
    containers: [{ name: 'main', image: 'code:v1' }],
  },
};

interface Failure {
  kind: RescueKind;
  /** Where the first operation leaves the sandbox. */
  at: string;
  spec: object;
  /** What the person corrects in the draft. */
  correct?: Partial<UpgradePreviewRequest>;
}

const failures: Failure[] = [
  {
    kind: 'correctPreUpgrade',
    at: 'PreUpgradeFailed',
    spec: { patch: patch('code:v2'), lifecycle: { preUpgrade: hook('fail') } },
    correct: { preUpgrade: { command: ['save'] } },
  },
  {
    kind: 'withoutPreUpgrade',
    at: 'PreUpgradeFailed',
    spec: { patch: patch('code:v2'), lifecycle: { preUpgrade: hook('fail') } },
  },
  {
    kind: 'correctPatch',
    at: 'UpgradePodFailed',
    spec: { patch: patch('code:bad'), lifecycle: { preUpgrade: hook('save'), postUpgrade: hook('restore') } },
    correct: { change: { by: 'patch', patch: patch('code:v3') } },
  },
  {
    kind: 'postUpgradeOnly',
    at: 'PostUpgradeFailed',
    spec: { patch: patch('code:v2'), lifecycle: { postUpgrade: hook('fail') } },
    correct: { postUpgrade: { command: ['restore'] } },
  },
  {
    kind: 'recreate',
    at: 'Checkpointing',
    spec: {
      updateStrategy: { type: 'CheckpointRestore' },
      patch: { spec: { containers: [{ name: 'main', env: [{ name: 'A', value: '1' }] }] } },
    },
  },
];

it.each(failures)('$kind brings a sandbox from $at to its end', async ({ kind, at, spec, correct }) => {
  const name = kind.toLowerCase();
  await tests.running(name, { template }, { labels: { batch: name } });
  await tests.create(resources.sandboxupdateops, name, { selector: { matchLabels: { batch: name } }, ...spec });
  const stuck = await tests.until(name, (it) => reason(it, 'Upgrading') === at);

  const row: SandboxRow = {
    uid: stuck.metadata.uid,
    ns: 'default',
    name,
    phase: 'Upgrading',
    state: 'Upgrading',
    stage: at,
    sinceFrom: 'unknown',
    ...(at === 'Checkpointing' ? { cause: { code: 'CheckpointPending' } } : {}),
  };
  const operation = readOperation(await tests.api.get(tests.path(resources.sandboxupdateops, name)));
  const [group] = failureGroups({}, [{ row, ...sandboxStage(row) }], Date.now());
  const step = operation && group && nextSteps(operation, group).find((each) => each.kind === kind);
  expect(step?.correct.length === 0).toBe(correct === undefined);

  const { change, ...draft } = upgradeDraft.parse({ ...step?.draft, ...correct });
  await tests.api.remove(tests.path(resources.sandboxupdateops, name));
  await tests.gone(resources.sandboxupdateops, name);
  await tests.change(name, { metadata: { labels: { [selectionLabel]: draft.name } } });
  await tests.api.create(
    collectionPath(resources.sandboxupdateops, 'default'),
    manifestOf(draft, change?.by === 'patch' ? change.patch : undefined),
  );
  const read = async () =>
    sandboxUpdateOpsSchema.parse(await tests.api.get(tests.path(resources.sandboxupdateops, draft.name)));
  await expect.poll(async () => (await read()).status?.phase, { timeout: 20_000 }).toMatch(/Completed|Failed/);
  expect((await read()).status).toMatchObject({ phase: 'Completed', updatedReplicas: 1, failedReplicas: 0 });
  await tests.until(name, (it) => reason(it, 'Upgrading') === 'Succeeded' && it.spec.upgradePolicy === undefined);
});
