import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CleanLeftoversRequest } from '@/lib/contracts/upgrade-leftovers';
import { realKubeconfig } from '../testing/contract-cluster';
import { type UpgradeWorld, upgradeWorld } from '../testing/upgrade-world';
import { cleanLeftovers } from './clean-leftovers';
import type { UpgradeContext } from './upgrade-context';

const failed = 'agents.kruise.io/upgrade-failed';
const op = 'agents.kruise.io/update-ops';
const selection = 'console.agents.kruise.io/upgrade';
const left = { labels: { [failed]: 'true' }, spec: { upgradePolicy: { type: 'Recreate' } } };

let world: UpgradeWorld;
let ctx: UpgradeContext;
beforeEach(async () => {
  world = await upgradeWorld();
  ctx = world.context();
});
afterEach(() => world.close());

const clean = (items: CleanLeftoversRequest['items'], over: Partial<CleanLeftoversRequest> = {}) =>
  cleanLeftovers(ctx, { namespace: world.namespace, items, dryRun: false, ...over });

async function operation(name: string, phase: string): Promise<void> {
  await world.cluster.client.request({
    method: 'POST',
    path: `/apis/agents.kruise.io/v1alpha1/namespaces/${world.namespace}/sandboxupdateops`,
    body: {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'SandboxUpdateOps',
      metadata: { name },
      spec: { selector: { matchLabels: { x: 'y' } } },
    },
  });
  if (phase) await world.reach(name, phase);
}

it('removes what was asked for and leaves the rest', async () => {
  const a = await world.sandbox('a', { ...left, labels: { ...left.labels, [selection]: 'old' } });
  const items = [{ ...a, remove: ['upgradePolicy' as const, 'failedLabel' as const] }];
  expect(await clean(items, { dryRun: true })).toMatchObject({ value: { items: [{ result: 'accepted' }] } });
  expect((await world.read('sandboxes', 'a')).metadata.labels).toHaveProperty([failed]);
  expect(world.lines).toEqual([]);
  expect(await clean(items, { reason: 'tidy' })).toEqual({
    ok: true,
    value: { items: [{ ...a, result: 'accepted' }] },
  });
  const { metadata, spec } = await world.read('sandboxes', 'a');
  expect(spec).not.toHaveProperty('upgradePolicy');
  expect(metadata.labels).toMatchObject({ app: 'code', [selection]: 'old' });
  expect(metadata.labels).not.toHaveProperty([failed]);
  expect(await clean(items)).toMatchObject({ value: { items: [{ result: 'unchanged' }] } });
  expect(world.lines.map((line) => JSON.parse(line))).toMatchObject([
    { key: 'audit.intent', action: 'cleanLeftovers', reason: 'tidy', before: { a: ['upgradePolicy', 'failedLabel'] } },
    { key: 'audit.outcome', result: 'accepted' },
    { key: 'audit.intent' },
    { key: 'audit.outcome', result: 'unchanged' },
  ]);
});

it('removes the hooks of an ended operation, and only as they were read', async () => {
  const lifecycle = { postUpgrade: { exec: { command: ['warm', '--token=t0p'] } } };
  const a = await world.sandbox('a', { ...left, spec: { ...left.spec, lifecycle } });
  expect(await clean([{ ...a, remove: ['upgradePolicy', 'hooks'] }])).toMatchObject({
    value: { items: [{ name: 'a', result: 'accepted' }] },
  });
  const { spec } = await world.read('sandboxes', 'a');
  expect(spec).not.toHaveProperty('lifecycle');
  expect(spec).not.toHaveProperty('upgradePolicy');
  expect(world.lines.join()).not.toContain('t0p');
});

it('does not touch what an operation works on, or selects, that is not over', async () => {
  await operation('over', 'Completed');
  await operation('works', '');
  const items = [];
  for (const [name, labels] of [
    ['adopted', { [op]: 'works' }],
    ['selected', { [selection]: 'works' }],
    ['finished', { [op]: 'over' }],
    ['orphan', { [op]: 'deleted' }],
  ] as const) {
    const each = await world.sandbox(name, { ...left, labels: { ...left.labels, ...labels } });
    items.push({ ...each, remove: ['upgradePolicy' as const, 'selectionLabel' as const] });
  }
  expect(await clean(items)).toMatchObject({
    value: {
      items: [
        { name: 'adopted', result: 'refused', message: expect.stringContaining('works for upgrade works') },
        { name: 'selected', result: 'refused' },
        { name: 'finished', result: 'accepted' },
        { name: 'orphan', result: 'accepted' },
      ],
    },
  });
  expect((await world.read('sandboxes', 'adopted')).spec).toHaveProperty('upgradePolicy');
});

it('has one outcome a sandbox: another of the name, or none, does not stop the others', async () => {
  const a = await world.sandbox('a', left);
  const b = await world.sandbox('b', left);
  const remove = ['upgradePolicy' as const];
  const items = [
    { ...a, uid: 'another', remove },
    { uid: 'was', name: 'gone', remove },
    { ...b, remove },
  ];
  expect(await clean(items)).toMatchObject({
    value: {
      items: [
        { result: 'refused', message: expect.stringContaining('another object of the same name') },
        { result: 'refused', message: expect.stringContaining('not found') },
        { result: 'accepted' },
      ],
    },
  });
});

it('needs the right to patch sandboxes', async () => {
  const viewer = world.context({ principal: { subject: 'vera', groups: [], impersonate: true } });
  const items = [{ uid: 'u', name: 'a', remove: ['failedLabel' as const] }];
  expect(await cleanLeftovers(viewer, { namespace: world.namespace, items, dryRun: false })).toMatchObject({
    problem: { code: 'forbidden', missing: { verb: 'patch', resource: 'sandboxes' } },
  });
});

it.skipIf(realKubeconfig)('cleans nothing where it cannot be told which operations are over', async () => {
  const a = await world.sandbox('a', left);
  world.cluster.setFault?.(({ method, url }) =>
    method === 'GET' && url.includes('/sandboxupdateops')
      ? { status: 403, body: { kind: 'Status', code: 403, message: 'no', reason: 'Forbidden' } }
      : undefined,
  );
  await expect(clean([{ ...a, remove: ['upgradePolicy'] }])).rejects.toMatchObject({ status: 403 });
  expect((await world.read('sandboxes', 'a')).spec).toHaveProperty('upgradePolicy');
});
