import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from './cluster';
import { differences, replay } from './replay';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster();
});
afterAll(async () => {
  await cluster.stop();
});

describe.concurrent('the controllers do what the real ones were recorded doing', () => {
  it.each([
    ['pool-create'],
    ['scale-up-with-maxunavailable'],
    ['scale-down'],
    ['scale-to-zero-and-noop'],
    ['claim-and-refill'],
    ['pause-resume-stop'],
    ['pause-while-resuming'],
    ['resume-stuck-digest-init-container'],
    ['update-recreate-success'],
    ['update-deadlock-failures'],
    ['update-pre-upgrade-hook-fails'],
    ['shutdown-time'],
    ['sandbox-pod-deleted'],
    ['second-update-refused'],
    ['paused-sandboxes-with-statefilter'],
    ['update-lifecycle-only'],
    ['locked-pool-member'],
    ['pool-create-18'],
    ['pool-without-template'],
    ['pool-crashing'],
    ['rollout-default-20-percent'],
    ['rollout-maxunavailable-zero'],
    ['rollout-stuck-bad-image'],
    ['sandbox-start-failures'],
    ['pause-resume-hibernate'],
    ['update-paused-and-continued'],
    ['update-deleted-midway'],
    ['update-maxunavailable-zero'],
    ['update-retry-identical'],
    ['update-post-upgrade-hook-fails'],
    ['update-patch-invalid'],
    ['update-of-template-ref-sandbox'],
    ['update-fails-bad-image'],
    ['unpause-during-paused-update'],
    ['leftover-upgrade-policy'],
    ['paused-update-stuck-digest'],
    ['checkpoint-restore-without-controller'],
    ['upgrade-selector-matching-nothing'],
  ])(
    '%s',
    // Steps in the middle of a change race with the simulated nodes.
    { timeout: 60_000, retry: 2 },
    async (name) => {
      expect(differences(await replay(cluster, name))).toEqual([]);
    },
  );
});
