import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Template } from '@/lib/domain/templates';
import { refusedPods, rightPods } from '@/lib/domain/upgrades/pod-faults.testing';
import { realKubeconfig } from '../testing/contract-cluster';
import { type UpgradeWorld, upgradeWorld } from '../testing/upgrade-world';

/** What the rules say of a Pod, an API server is asked as well. */
let world: UpgradeWorld;
beforeAll(async () => {
  world = await upgradeWorld();
});
afterAll(() => world.close());

const tried = ({ metadata, spec }: Template) =>
  world.cluster.client
    .request({
      method: 'POST',
      path: `/api/v1/namespaces/${world.namespace}/pods`,
      query: { dryRun: 'All' },
      body: { apiVersion: 'v1', kind: 'Pod', metadata: { ...(metadata as object), name: 'tried' }, spec },
    })
    .then(
      () => 'taken',
      (error: unknown) => `${(error as { status: number }).status}`,
    );

describe('an API server', () => {
  // The embedded one leaves some of these rules out.
  it.skipIf(!realKubeconfig).each(refusedPods)('refuses the Pod with %s', async (_, template) => {
    expect(await tried(template)).toMatch(/^(400|422)$/);
  });

  it.each(rightPods)('takes the Pod with %s', async (_, template) => {
    expect(await tried(template)).toBe('taken');
  });
});
