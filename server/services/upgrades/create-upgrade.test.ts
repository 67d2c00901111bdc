import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChosenSandbox, UpgradeDraft } from '@/lib/contracts/upgrades';
import { guardAnnotation, loadGuards } from '../../history/guards';
import { realKubeconfig } from '../testing/contract-cluster';
import { lineOf } from '../testing/recorded';
import { type UpgradeWorld, upgradeWorld } from '../testing/upgrade-world';
import { createUpgrade } from './create-upgrade';
import { readHistory } from './read-history';
import type { UpgradeContext } from './upgrade-context';

let world: UpgradeWorld;
let ctx: UpgradeContext;
let a: ChosenSandbox;
let b: ChosenSandbox;

beforeEach(async () => {
  world = await upgradeWorld();
  ctx = world.context();
  a = await world.sandbox('a');
  b = await world.sandbox('b');
});
afterEach(() => world.close());

const create = (draft: Partial<UpgradeDraft> = {}, frozen: ChosenSandbox[] = [a, b], dryRun = false) =>
  createUpgrade(ctx, { draft: world.draft(draft), frozen, dryRun, reason: 'OPS-7' });
const written = () => world.calls.filter(({ method, query }) => method !== 'GET' && query?.dryRun === undefined);
const exists = () =>
  world.read('sandboxupdateops', 'up').then(
    () => true,
    () => false,
  );

describe('createUpgrade', () => {
  it('creates what was previewed, after a strict dry run, and answers the manifest and the line', async () => {
    const result = await create();
    const live = await world.read('sandboxupdateops', 'up');
    expect(live.spec).toMatchObject({
      selector: { matchLabels: { app: 'code' } },
      updateStrategy: { type: 'Recreate', maxUnavailable: 1 },
      patch: { spec: { containers: [{ name: 'main', image: 'registry.local/code:v2' }] } },
    });
    expect(result).toMatchObject({
      ok: true,
      value: {
        action: 'createUpgrade',
        actor: 'mara',
        changed: true,
        dryRun: false,
        object: { kind: 'SandboxUpdateOps', namespace: world.namespace, name: 'up', uid: live.metadata.uid },
        before: null,
        after: { kind: 'SandboxUpdateOps', metadata: { name: 'up' } },
        kubectl: expect.stringMatching(/^kubectl apply -f - <<'EOF'\napiVersion: .+registry\.local\/code:v2.+EOF/s),
      },
    });
    const posts = world.calls.filter(({ method }) => method === 'POST');
    expect(posts.map(({ query }) => query)).toEqual([
      { fieldManager: 'agents-console', fieldValidation: 'Strict', dryRun: 'All' },
      { fieldManager: 'agents-console', fieldValidation: 'Strict' },
    ]);
    expect(world.lines.map((line) => JSON.parse(line))).toMatchObject([
      { key: 'audit.intent', action: 'createUpgrade', actor: 'mara', reason: 'OPS-7', summary: 'Recreate of 2, patch' },
      { key: 'audit.outcome', result: 'accepted' },
    ]);
  });

  it('writes nothing on a dry run', async () => {
    expect(await create({}, [a, b], true)).toMatchObject({ ok: true, value: { dryRun: true, changed: true } });
    expect(written()).toEqual([]);
    expect(world.lines).toEqual([]);
  });

  it('stops before sending when the selector matches others than were seen, and names them', async () => {
    await world.sandbox('c');
    expect(await create()).toMatchObject({
      problem: {
        code: 'conflict',
        reason: 'targetsChanged',
        applied: 'no',
        values: { added: 1, missing: 0, names: 'c' },
      },
    });
    const replaced = { ...b, uid: 'another' };
    expect(await create({}, [a, replaced])).toMatchObject({
      problem: { reason: 'targetsChanged', values: { added: 2, missing: 1, names: 'b, c, b' } },
    });
    expect(written()).toEqual([]);
  });

  it('goes on without what has gone since it was looked at', async () => {
    const gone = { uid: 'was', name: 'c' };
    expect(await create({}, [a, b, gone])).toMatchObject({ ok: true });
    expect(written()).not.toEqual([]);
  });

  it('stops before sending when nothing matches', async () => {
    const targets = { by: 'labels' as const, selector: { matchLabels: { app: 'none' } } };
    expect(await create({ targets })).toMatchObject({
      problem: { code: 'precondition_failed', reason: 'nothingMatches', values: { selector: 'app=none' } },
    });
    expect(await create({ change: { by: 'none' }, postUpgrade: { command: ['true'] } })).toMatchObject({
      problem: { code: 'validation', reason: 'planStops', values: { why: 'lifecycleOnlyNeverEnds', names: 'a, b' } },
    });
    expect(written()).toEqual([]);
  });

  it('refuses a second operation, an image with checkpoints, and a taken name, with a webhook or without', async () => {
    expect(await create()).toMatchObject({ ok: true });
    expect(await create({ name: 'second' })).toMatchObject({ problem: { code: 'validation', applied: 'no' } });
    await world.reach('up', 'Completed');
    await expect
      .poll(() => create())
      .toMatchObject({
        problem: { code: 'conflict', message: expect.stringMatching(/"up" already exists/) },
      });
    expect(await create({ name: 'third', strategy: 'CheckpointRestore' })).toMatchObject({
      problem: { code: 'validation', applied: 'no' },
    });
    expect(written()).toHaveLength(1);
  });

  it.skipIf(realKubeconfig)('leaves it to the webhook to say so, in its words', async () => {
    expect(await create({ strategy: 'CheckpointRestore' })).toMatchObject({
      problem: {
        code: 'validation',
        message: expect.stringContaining('CheckpointRestore strategy does not support modifying container images'),
      },
    });
    expect(await create()).toMatchObject({ ok: true });
    // It reads a cache, which lags.
    await expect
      .poll(() => create({ name: 'second' }))
      .toMatchObject({
        problem: {
          code: 'validation',
          applied: 'no',
          message: expect.stringContaining('there is an active SandboxUpdateOps in the same namespace: up'),
        },
      });
  });

  it('sends nothing without the right, and names it', async () => {
    const viewer = { subject: 'vera', groups: [], impersonate: true };
    const refused = await createUpgrade(world.context({ principal: viewer }), {
      draft: world.draft(),
      frozen: [a, b],
      dryRun: false,
    });
    expect(refused).toMatchObject({
      problem: {
        code: 'forbidden',
        missing: { verb: 'create', resource: 'sandboxupdateops', namespace: world.namespace },
      },
    });
    expect(world.calls).toEqual([]);
  });

  it.skipIf(realKubeconfig)(
    'arms no guard for a person who may create but not pause, and names the right',
    async () => {
      const verbs = (list: string[], resources: string[]) => ({
        apiGroups: ['agents.kruise.io'],
        resources,
        verbs: list,
      });
      const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${world.namespace}`;
      const { client } = world.cluster;
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'planner' };
      const rules = [verbs(['list'], ['sandboxes', 'sandboxupdateops']), verbs(['create'], ['sandboxupdateops'])];
      await client.request({ method: 'POST', path: `${path}/roles`, body: { metadata: { name: 'planner' }, rules } });
      await client.request({
        method: 'POST',
        path: `${path}/rolebindings`,
        body: {
          metadata: { name: 'planner' },
          roleRef,
          subjects: [{ kind: 'User', name: 'pia', apiGroup: 'rbac.authorization.k8s.io' }],
        },
      });
      ctx = world.context({ principal: { subject: 'pia', groups: [], impersonate: true } });
      expect(await create({ guard: { failures: 1 } })).toMatchObject({
        problem: { code: 'forbidden', missing: { verb: 'patch', resource: 'sandboxupdateops' } },
      });
      expect(written()).toEqual([]);
      expect(await create()).toMatchObject({ ok: true });
    },
  );

  it('refuses a change whose Pods could never be made, by field, before anything is sent', async () => {
    const resources = { requests: { cpu: '2' }, limits: { cpu: '1' } };
    const patch = { spec: { containers: [{ name: 'main', resources }] } };
    expect(await create({ change: { by: 'patch', patch } })).toMatchObject({
      problem: {
        code: 'validation',
        reason: 'planStops',
        values: { why: 'podRefused', names: 'a, b' },
        fields: [{ message: expect.stringContaining('spec.containers[main].resources.requests.cpu') }],
      },
    });
    expect(world.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('sends nothing on old data', async () => {
    const freshness = {
      kinds: [{ kind: 'sandboxupdateops', state: 'degraded' as const, provenAt: Date.now() - 16_000 }],
      cluster: { name: 'c', server: 's', embedded: false, missing: [] },
    };
    const refused = await createUpgrade(world.context({ freshness }), {
      draft: world.draft(),
      frozen: [a, b],
      dryRun: false,
    });
    expect(refused).toMatchObject({ problem: { code: 'stale', values: { kind: 'sandboxupdateops' } } });
    expect(world.calls).toEqual([]);
  });

  it.skipIf(realKubeconfig)('keeps what a webhook says that cannot be reached', async () => {
    const down = lineOf('webhook cannot be reached: change the template');
    world.cluster.setFault?.(({ method, url }) =>
      method === 'POST' && url.includes('/sandboxupdateops') ? { status: down.status, body: down.response } : undefined,
    );
    expect(await create()).toMatchObject({
      problem: { code: 'webhook_unreachable', applied: 'no', message: down.response.message },
    });
  });

  it('marks single sandboxes with the name of the operation, and selects by that', async () => {
    const only = { targets: { by: 'selection' as const, sandboxes: [a] } };
    expect(await create(only, [a], true)).toMatchObject({ ok: true });
    expect((await world.read('sandboxes', 'a')).metadata.labels).not.toHaveProperty('console.agents.kruise.io/upgrade');
    expect(await create(only, [a])).toMatchObject({
      ok: true,
      value: {
        kubectl: expect.stringMatching(
          /^kubectl -n \S+ label --overwrite sbx a console\.agents\.kruise\.io\/upgrade=up\nkubectl apply -f - <</,
        ),
      },
    });
    expect((await world.read('sandboxes', 'a')).metadata.labels).toMatchObject({
      app: 'code',
      'console.agents.kruise.io/upgrade': 'up',
    });
    expect((await world.read('sandboxes', 'b')).metadata.labels).not.toHaveProperty('console.agents.kruise.io/upgrade');
    expect((await world.read('sandboxupdateops', 'up')).spec.selector).toEqual({
      matchLabels: { 'console.agents.kruise.io/upgrade': 'up' },
    });
  });

  it('adds its mark to the labels there are by then, and to no other object of the name', async () => {
    const bare = await world.sandbox('bare');
    await world.patch('sandboxes', 'bare', { metadata: { labels: null } });
    const targets = { by: 'selection' as const, sandboxes: [bare] };
    const { request } = ctx.cluster.client;
    const meanwhile = (body: object) => {
      ctx.cluster.client.request = async (call) => {
        if (call.method === 'PATCH') await world.patch('sandboxes', 'bare', body);
        return request(call);
      };
    };
    meanwhile({ metadata: { labels: { tier: 'x' } } });
    expect(await create({ targets }, [bare])).toMatchObject({ ok: true });
    expect((await world.read('sandboxes', 'bare')).metadata.labels).toMatchObject({
      tier: 'x',
      'console.agents.kruise.io/upgrade': 'up',
    });
  });

  it('does not give to one operation what was chosen for another of its name at the same time', async () => {
    const select = (sandbox: ChosenSandbox) =>
      create({ targets: { by: 'selection', sandboxes: [sandbox] } }, [sandbox]);
    const results = await Promise.all([select(a), select(b)]);
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
    const loser = results[0].ok ? 'b' : 'a';
    expect((await world.read('sandboxes', loser)).metadata.labels).not.toHaveProperty(
      'console.agents.kruise.io/upgrade',
    );
  });

  it('asks for few of many in a dry run', async () => {
    const sandboxes = await Promise.all(Array.from({ length: 12 }, (_, i) => world.sandbox(`many-${i}`)));
    expect(await create({ targets: { by: 'selection', sandboxes } }, sandboxes, true)).toMatchObject({ ok: true });
    expect(world.calls.filter(({ method }) => method === 'PATCH').length).toBe(8);
    expect(written()).toEqual([]);
  });

  it('does not take along what carries the mark without being chosen', async () => {
    await world.sandbox('stray', { labels: { 'console.agents.kruise.io/upgrade': 'up' } });
    expect(await create({ targets: { by: 'selection', sandboxes: [a] } }, [a])).toMatchObject({
      problem: { reason: 'planStops', values: { why: 'strays', names: 'stray' } },
    });
    expect(await exists()).toBe(false);
  });

  it.skipIf(realKubeconfig)('puts no mark when the API server refuses the operation', async () => {
    await create();
    expect(await create({ name: 'next', targets: { by: 'selection', sandboxes: [a] } }, [a])).toMatchObject({
      ok: false,
    });
    expect((await world.read('sandboxes', 'a')).metadata.labels).not.toHaveProperty('console.agents.kruise.io/upgrade');
  });
});

describe('a guard that is set with the operation', () => {
  const guard = { failures: 2 };

  it('is stored and bound to it', async () => {
    expect(await create({ guard })).toMatchObject({ ok: true });
    const { uid, annotations } = (await world.read('sandboxupdateops', 'up')).metadata;
    expect(await loadGuards(world.history)).toMatchObject([
      {
        id: annotations?.[guardAnnotation],
        opUid: uid,
        opName: 'up',
        limits: guard,
        state: 'armed',
        principal: { subject: 'mara' },
      },
    ]);
    expect(ctx.guards.of(uid)).toMatchObject({ state: 'armed', setBy: 'mara' });
    const name = { namespace: world.namespace, name: 'up' };
    expect(await readHistory(ctx, name)).toMatchObject({ value: { guard: { state: 'armed' } } });
  });

  it.skipIf(realKubeconfig)('tells beforehand when who set it may not pause', async () => {
    await create();
    const { uid } = (await world.read('sandboxupdateops', 'up')).metadata;
    const name = { namespace: world.namespace, name: 'up' };
    await ctx.guards.set({ uid, ...name }, guard, { subject: 'vera', groups: [], impersonate: true });
    expect(await readHistory(ctx, name)).toMatchObject({ value: { guard: { setBy: 'vera', unable: true } } });
  });

  it.skipIf(realKubeconfig)('is gone when the API server refuses, and waits when its answer is lost', async () => {
    const failing = (answer: { status: number; body: object }) => {
      world.cluster.setFault?.(({ method, url }) => {
        if (method !== 'POST' || !url.includes('/sandboxupdateops') || url.includes('dryRun')) return undefined;
        return answer;
      });
    };
    failing({ status: 403, body: { kind: 'Status', code: 403, message: 'no', reason: 'Forbidden' } });
    expect(await create({ guard })).toMatchObject({ problem: { code: 'forbidden' } });
    expect(await loadGuards(world.history)).toEqual([]);
    failing({ status: 504, body: { kind: 'Status', code: 504, message: 'late', reason: 'Timeout' } });
    expect(await create({ guard })).toMatchObject({ problem: { applied: 'unknown' } });
    const [waiting] = await loadGuards(world.history);
    expect(waiting).toMatchObject({ opName: 'up', state: 'armed' });
    expect(waiting).not.toHaveProperty('opUid');
  });

  it('keeps the operation from being created when it cannot be stored', async () => {
    world.history.use = () => Promise.reject(Object.assign(new Error('disk full'), { name: 'HistoryUnavailable' }));
    expect(await create({ guard })).toMatchObject({
      problem: { code: 'history_unavailable', status: 503, applied: 'no', values: { why: 'disk full' } },
    });
    const targets = { by: 'selection' as const, sandboxes: [a] };
    expect(await create({ guard, targets }, [a])).toMatchObject({ problem: { code: 'history_unavailable' } });
    expect(await exists()).toBe(false);
    // Not even a label was put.
    expect(written()).toEqual([]);
    expect(await create()).toMatchObject({ ok: true });
  });
});
