import { afterAll, beforeAll, expect, it } from 'vitest';
import { type UpgradeWorld, upgradeWorld } from '../testing/upgrade-world';
import { countCurrent } from './count-current';
import { createUpgrade } from './create-upgrade';

let world: UpgradeWorld;
beforeAll(async () => {
  world = await upgradeWorld();
});
afterAll(() => world.close());

it('counts for many operations at once, and leaves out those that are gone', async () => {
  const a = await world.sandbox('a');
  await createUpgrade(world.context(), { draft: world.draft(), frozen: [a], dryRun: false });
  for (const name of ['new-1', 'new-2']) await world.sandbox(name, { image: 'registry.local/code:v2' });
  const { namespace } = world;
  const operations = [
    { namespace, name: 'up' },
    { namespace, name: 'gone' },
  ];
  expect(await countCurrent(world.context(), operations)).toMatchObject({
    ok: true,
    value: { counts: { [`${namespace}/up`]: 2 } },
  });
});
