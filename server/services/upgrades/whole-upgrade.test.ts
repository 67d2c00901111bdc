import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { upgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import { createUpgradeRequest } from '@/lib/contracts/upgrade-writes';
import type { UpgradeDraft } from '@/lib/contracts/upgrades';
import { guardAnnotation } from '../../history/guards';
import { handler } from '../../http/handler';
import { KubeError } from '../../kube/errors';
import { log } from '../../log';
import type { Result } from '../result';
import { livingWorld } from '../testing/living-world';
import { createUpgrade } from './create-upgrade';
import { previewUpgrade } from './preview-upgrade';
import { readHistory } from './read-history';

/** Upgrades with the controllers that work on them, and the console that watches. */
let world: Awaited<ReturnType<typeof livingWorld>>;
let console: Awaited<ReturnType<typeof world.start>>;
/** Everything that left the services, and the lines of the log. */
let told: unknown[];
let logged: unknown[];

beforeAll(async () => {
  world = await livingWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  told = [];
  logged = [];
  world.lines.length = 0;
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void logged.push(line));
  }
  console = await world.start();
});
afterEach(() => {
  console.stop();
  vi.restoreAllMocks();
});

const namespace = 'default';
const secrets = ['hunter-2-old', 'hunter-2-new'];
const sandboxes = `/apis/agents.kruise.io/v1alpha1/namespaces/${namespace}/sandboxes`;
const long = { timeout: 30_000 };
vi.setConfig({ testTimeout: 90_000 });

async function sandbox(name: string, app: string): Promise<void> {
  await console.cluster.client.request({
    method: 'POST',
    path: sandboxes,
    body: {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'Sandbox',
      metadata: { name, labels: { app, 'agents.kruise.io/sandbox-claimed': 'true' } },
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'main', image: 'registry.local/code:v1', env: [{ name: 'DB_PASSWORD', value: secrets[0] }] },
            ],
          },
        },
      },
    },
  });
  await expect.poll(() => console.cluster.byName('sandboxes', namespace, name)?.state, long).toBe('Running');
}

async function containerOf(name: string): Promise<unknown> {
  const answer = await console.cluster.client.request({ method: 'GET', path: `${sandboxes}/${name}` });
  return (answer.body as { spec: { template: { spec: { containers: unknown[] } } } }).spec.template.spec.containers[0];
}

const draft = (app: string, name: string, over: Partial<UpgradeDraft> = {}): UpgradeDraft => ({
  namespace,
  name,
  targets: { by: 'labels', selector: { matchLabels: { app } } },
  states: ['Running'],
  change: {
    by: 'patch',
    patch: {
      spec: {
        containers: [
          { name: 'main', image: 'registry.local/code:v2', env: [{ name: 'DB_PASSWORD', value: secrets[1] }] },
        ],
      },
    },
  },
  strategy: 'Recreate',
  maxUnavailable: '50%',
  paused: false,
  ...over,
});

async function run(wanted: UpgradeDraft): Promise<string> {
  const preview = await previewUpgrade(console.ctx, wanted);
  told.push(preview);
  const frozen = preview.ok ? preview.value.targets.map(({ uid, name }) => ({ uid, name })) : [];
  // The webhook's cache lags behind the end of the operation before.
  let uid = '';
  await expect
    .poll(async () => {
      const made = await createUpgrade(console.ctx, { draft: wanted, frozen, dryRun: false });
      told.push(made);
      if (made.ok) uid = made.value.object.uid;
      return made.ok ? 'created' : made.problem.message;
    }, long)
    .toBe('created');
  return uid;
}

/** Through the door of every route. */
async function send<B>(body: z.ZodType<B>, service: (body: B) => Promise<Result<unknown>>, sent: unknown) {
  const request = new Request('http://console.local/api/v1/upgrades', {
    method: 'POST',
    headers: { 'content-type': 'application/json', host: 'console.local' },
    body: JSON.stringify(sent),
  });
  const route = handler({ body, access: 'write' }, (call) => service(call.body));
  const answer = await route(request, { params: Promise.resolve({}) });
  told.push(await answer.json());
  return answer.status;
}

function expectNoSecret(): void {
  const places = { told, logged, audit: world.lines, sandboxes: [...console.cluster.rows('sandboxes')] };
  const operations = [...console.cluster.rows('sandboxupdateops')];
  for (const secret of secrets) expect(JSON.stringify({ ...places, operations })).not.toContain(secret);
}

const op = (name: string) => console.cluster.byName('sandboxupdateops', namespace, name);
const historyOf = async (name: string) => {
  const reply = await readHistory(console.ctx, { namespace, name });
  told.push(reply);
  return reply;
};

describe('an upgrade', () => {
  it('is rolled back to what the sandboxes had, secrets included, which nobody is told', async () => {
    for (const name of ['r1', 'r2', 'r3']) await sandbox(name, 'roll');
    const uid = await run(draft('roll', 'forward'));
    await expect.poll(() => op('forward')?.phase, long).toBe('Completed');
    expect(await containerOf('r1')).toMatchObject({ image: 'registry.local/code:v2', env: [{ value: secrets[1] }] });
    expect(console.cluster.byName('sandboxes', namespace, 'r1')?.steps?.map(([reason]) => reason)).toEqual([
      'UpgradePod',
      'Succeeded',
    ]);

    // The console is started anew in between, with everything stored.
    await historyOf('forward');
    console.stop();
    console = await world.start();
    const seen = await historyOf('forward');
    expect(seen).toMatchObject({
      ok: true,
      value: {
        guard: null,
        unknown: [],
        groups: [
          {
            sandboxes: [{ name: 'r1' }, { name: 'r2' }, { name: 'r3' }],
            before: { spec: { containers: [{ image: 'registry.local/code:v1', env: [{ value: '•••' }] }] } },
            after: { spec: { containers: [{ image: 'registry.local/code:v2' }] } },
            inverse: { spec: { containers: [{ name: 'main', image: 'registry.local/code:v1' }] } },
          },
        ],
      },
    });
    // Who may read operations is not told of sandboxes by them.
    const { request } = console.cluster.client;
    const noSandboxes: typeof request = async (call) => {
      if (call.path !== sandboxes) return request.call(console.cluster.client, call);
      throw new KubeError({ cause: 'http', status: 403, message: 'cannot list resource "sandboxes"' });
    };
    const cluster = { client: { request: noSandboxes }, freshness: () => console.cluster.freshness() };
    await expect(readHistory({ ...console.ctx, cluster }, { namespace, name: 'forward' })).rejects.toThrow(
      'cannot list',
    );

    const [group] = seen.ok ? seen.value.groups : [];
    const pods = seen.ok ? Object.values(seen.value.pods) : [];
    expect(pods).toHaveLength(3);
    for (const { before, after } of pods) {
      expect(before).toMatchObject({ uid: expect.any(String), node: expect.any(String), gone: expect.any(Number) });
      expect(after).toMatchObject({ uid: expect.any(String), node: expect.any(String), since: expect.any(Number) });
    }
    // Not into another namespace, where others may look.
    const elsewhere = { ...draft('roll', 'steal'), namespace: 'elsewhere' };
    const stolen = { by: 'restore' as const, operation: { uid, name: 'forward' }, group: group?.key ?? '' };
    expect(await previewUpgrade(console.ctx, { ...elsewhere, change: stolen })).toMatchObject({
      problem: { reason: 'historyUnknown' },
    });
    const change = { by: 'restore' as const, operation: { uid, name: 'forward' }, group: group?.key ?? '' };
    await run(draft('roll', 'back', { change }));
    await expect.poll(() => op('back')?.phase, long).toBe('Completed');
    expect(op('back')).toMatchObject({ rollsBack: 'forward' });
    expect(op('forward')).not.toHaveProperty('rollsBack');
    for (const name of ['r1', 'r2', 'r3']) {
      expect(await containerOf(name)).toMatchObject({ image: 'registry.local/code:v1', env: [{ value: secrets[0] }] });
    }
    await historyOf('back');
    // The first one stays readable although another has its sandboxes, and after one more start of the console.
    console.stop();
    console = await world.start();
    const past = await historyOf('forward');
    const records = past.ok ? past.value.records : [];
    expect(records.map(({ row }) => row.name).sort()).toEqual(['r1', 'r2', 'r3']);
    for (const { row, left } of records) {
      expect(row).toMatchObject({ op: 'forward', upgraded: true });
      expect(row.steps?.map(([reason]) => reason)).toEqual(['UpgradePod', 'Succeeded']);
      expect(left).toMatchObject({ seen: true, why: 'taken', to: 'back', at: expect.any(Number) });
      expect(past).toMatchObject({ value: { pods: { [row.uid]: { before: {}, after: {} } } } });
    }
    expect(world.lines.length).toBeGreaterThan(3);
    expectNoSecret();
  });

  it('tells no secret where it is refused either, and logs none', async () => {
    await sandbox('q1', 'quiet');
    const preview = (sent: unknown) => send(upgradePreviewRequest, (body) => previewUpgrade(console.ctx, body), sent);
    const create = (sent: unknown) => send(createUpgradeRequest, (body) => createUpgrade(console.ctx, body), sent);
    const wanted = draft('quiet', 'refused');
    const env = [{ name: 'DB_PASSWORD', value: secrets[1] }];
    const change = (spec: object) => ({ ...wanted, change: { by: 'patch', patch: { spec } } });
    expect(await preview(wanted)).toBe(200);
    expect(await preview(change({ containers: { env } }))).toBe(200);
    expect(await preview(change({ containers: [{ name: 'absent', env }] }))).toBe(200);
    expect(await preview({ ...change({ containers: [{ name: 'main', env }] }), states: [] })).toBe(400);
    const frozen = [{ uid: 'another', name: 'q1' }];
    expect(await create({ draft: wanted, frozen })).toBe(409);
    const uid = console.cluster.byName('sandboxes', namespace, 'q1')?.uid;
    const mine = { frozen: [{ uid, name: 'q1' }], dryRun: true };
    expect(await create({ draft: change({ containers: { env } }), ...mine })).toBe(422);
    expect(await create({ draft: { ...wanted, strategy: 'CheckpointRestore' }, ...mine })).toBe(422);
    expect(JSON.stringify(told)).toContain('DB_PASSWORD');
    expect(JSON.stringify(logged)).toContain('http.problem');
    expectNoSecret();
  });

  it('that fails is paused by its guard, after a restart of the console too', async () => {
    for (const name of ['g1', 'g2', 'g3', 'g4']) await sandbox(name, 'guard');
    const hook = { command: ['fail'] };
    const uid = await run(draft('guard', 'guarded', { maxUnavailable: 1, preUpgrade: hook, guard: { failures: 1 } }));
    console.stop();
    console = await world.start();
    await expect.poll(() => op('guarded'), long).toMatchObject({ failed: 1, paused: true });
    await expect.poll(() => console.ctx.guards.of(uid)?.state).toBe('fired');
    expect(await historyOf('guarded')).toMatchObject({ value: { guard: { state: 'fired', setBy: 'mara' } } });
    const pauses = world.lines.map((line) => JSON.parse(line)).filter(({ action }) => action === 'pauseUpgrade');
    expect(pauses).toMatchObject([
      { key: 'audit.intent', actor: 'mara', reason: 'guard at 1 failures: 1 of 1 that ended have failed' },
      { key: 'audit.outcome', result: 'accepted' },
    ]);
  });

  it('whose create lost its answer finds its guard by the mark it carries', async () => {
    const target = { namespace: 'marks', opName: 'lost' };
    const { client } = console.cluster;
    await client.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'marks' } } });
    const id = await console.ctx.guards.prepare(target, { failures: 1 }, console.ctx.principal);
    const kind = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxUpdateOps' };
    const create = (name: string, annotations: Record<string, string>) =>
      client.request({
        method: 'POST',
        path: '/apis/agents.kruise.io/v1alpha1/namespaces/marks/sandboxupdateops',
        body: {
          ...kind,
          metadata: { name, annotations },
          // Paused and with something to take, it stays.
          spec: {
            selector: { matchLabels: { app: 'lost' } },
            paused: true,
            patch: { metadata: { labels: { a: 'b' } } },
          },
        },
      });
    await client.request({
      method: 'POST',
      path: sandboxes.replace(namespace, 'marks'),
      body: {
        ...kind,
        kind: 'Sandbox',
        metadata: { name: 'l1', labels: { app: 'lost' } },
        spec: { template: { spec: { containers: [{ name: 'main', image: 'registry.local/code:v1' }] } } },
      },
    });
    await expect.poll(() => console.cluster.byName('sandboxes', 'marks', 'l1')?.state, long).toBe('Running');
    await create('lost', { [guardAnnotation]: id });
    const uidNow = () => console.cluster.byName('sandboxupdateops', 'marks', 'lost')?.uid ?? '';
    await expect.poll(() => console.ctx.guards.of(uidNow()), long).toMatchObject({ state: 'armed', setBy: 'mara' });
  });
});
