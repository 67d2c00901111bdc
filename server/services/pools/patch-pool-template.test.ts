import { describe, expect, it } from 'vitest';
import type { JsonPatchOp, PatchPoolTemplateRequest } from '@/lib/contracts/writes';
import { redactObject } from '@/lib/domain/redact';
import { httpError } from '@/server/kube/errors';
import { fakeCluster, storedPool, template, timeout } from '../testing/fake-cluster';
import { recordedRefusal } from '../testing/recorded';
import { patchPoolTemplate } from './patch-pool-template';

const pool = { namespace: 'lab', name: 'web' };
const image = (to: string): PatchPoolTemplateRequest['change'] => ({
  by: 'form',
  containers: [{ init: false, name: 'sandbox', image: to }],
});
const ask = (over: Partial<PatchPoolTemplateRequest> = {}): PatchPoolTemplateRequest => ({
  uid: 'u-1',
  dryRun: false,
  before: template(),
  change: image('registry.local/code:v2'),
  ...over,
});
const patches = (world: ReturnType<typeof fakeCluster>['world']) => world.calls.filter((c) => c.method === 'PATCH');
const containerOf = (value: unknown) =>
  (value as { spec: { containers: { image: string; env?: { name: string; value?: string }[] }[] } }).spec.containers[0];

/** A pool whose container has a secret that the browser sees as dots. */
function withSecret() {
  const t = template();
  t.spec.containers[0]?.env.push({ name: 'API_TOKEN', value: 'SECRET-env-55' }, { name: 'LAST', value: 'x' });
  return fakeCluster(storedPool({ template: t }));
}

describe('patchPoolTemplate', () => {
  it('sends a JSON Patch with tests on uid and on what was seen, and leaves everything else as it was', async () => {
    const { ctx, world } = fakeCluster();
    const result = await patchPoolTemplate(ctx, pool, ask());
    const [sent] = patches(world);
    expect(sent).toMatchObject({
      path: '/apis/agents.kruise.io/v1alpha1/namespaces/lab/sandboxsets/web',
      contentType: 'application/json-patch+json',
      query: { fieldManager: 'agents-console' },
    });
    expect(sent?.body).toEqual([
      { op: 'test', path: '/metadata/uid', value: 'u-1' },
      { op: 'test', path: '/spec/template/spec/containers/0/name', value: 'sandbox' },
      { op: 'test', path: '/spec/template/spec/containers/0/image', value: 'registry.local/code:v1' },
      { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'registry.local/code:v2' },
    ]);
    const expected = template();
    if (expected.spec.containers[0]) expected.spec.containers[0].image = 'registry.local/code:v2';
    expect(world.pool?.spec.template).toEqual(expected);
    expect(result).toMatchObject({
      ok: true,
      value: { changed: true, generation: 2, resourceVersion: '101', before: template(), after: expected },
    });
    expect(ctx.audit.recent()).toMatchObject([
      { summary: 'image registry.local/code:v1 → registry.local/code:v2', result: 'accepted' },
    ]);
  });

  it('shows what the server would make of it on a dry run, with its warnings, and changes nothing', async () => {
    const { ctx, world } = fakeCluster();
    world.warnings = ['spec.template: odd'];
    const result = await patchPoolTemplate(ctx, pool, ask({ dryRun: true }));
    expect(patches(world)[0]?.query).toEqual({ fieldManager: 'agents-console', dryRun: 'All' });
    expect(result).toMatchObject({
      ok: true,
      value: { dryRun: true, changed: true, warnings: ['spec.template: odd'] },
    });
    expect(containerOf(result.ok && result.value.after)?.image).toBe('registry.local/code:v2');
    expect(containerOf(world.pool?.spec.template)?.image).toBe('registry.local/code:v1');
    expect(world.lines).toEqual([]);
  });

  it('writes nothing when the template already is as asked', async () => {
    const { ctx, world } = fakeCluster();
    const same = await patchPoolTemplate(ctx, pool, ask({ change: image('registry.local/code:v1') }));
    const already = await patchPoolTemplate(
      ctx,
      pool,
      ask({ before: {}, change: { by: 'yaml', template: template() } }),
    );
    expect(same).toMatchObject({ ok: true, value: { changed: false, generation: 1 } });
    expect(already).toMatchObject({ ok: true, value: { changed: false } });
    expect(patches(world)).toEqual([]);
  });

  it('sends nothing for a person who may scale but not patch', async () => {
    const { ctx, world } = fakeCluster();
    world.allows = (right) => right.subresource === 'scale';
    expect(await patchPoolTemplate(ctx, pool, ask())).toMatchObject({
      problem: { code: 'forbidden', applied: 'no', missing: { verb: 'patch', resource: 'sandboxsets' } },
    });
    expect(world.calls).toEqual([]);
  });

  it('refuses a template that changed since, and names the fields and their present values', async () => {
    const { ctx, world } = fakeCluster();
    const changed = containerOf(world.pool?.spec.template);
    if (changed) changed.image = 'registry.local/code:v3';
    expect(await patchPoolTemplate(ctx, pool, ask())).toMatchObject({
      problem: {
        code: 'conflict',
        applied: 'no',
        fields: [{ field: 'spec.containers[sandbox].image', message: 'registry.local/code:v3' }],
      },
    });
    expect(patches(world)).toEqual([]);
  });

  it('tells which value moved when the test fails on the server', async () => {
    const { ctx, world } = fakeCluster();
    world.onPatch = () => {
      const racing = containerOf(world.pool?.spec.template);
      if (racing) racing.image = 'registry.local/code:v3';
    };
    expect(await patchPoolTemplate(ctx, pool, ask())).toMatchObject({
      problem: {
        code: 'conflict',
        message: expect.stringContaining('spec.containers[sandbox].image changed'),
        fields: [{ message: 'registry.local/code:v3' }],
      },
    });
    expect(patches(world)).toHaveLength(1);
  });

  it('keeps the API server’s words when the patch is refused for another reason', async () => {
    const { ctx, world } = fakeCluster();
    world.onPatch = () => {
      throw recordedRefusal('JSON Patch whose test fails');
    };
    expect(await patchPoolTemplate(ctx, pool, ask())).toMatchObject({
      problem: {
        code: 'validation',
        applied: 'no',
        message: 'the server rejected our request due to an error in our request',
      },
    });
    expect(patches(world)).toHaveLength(2);
  });

  it('lets somebody else’s change of another container stand', async () => {
    const { ctx, world } = fakeCluster();
    const live = world.pool?.spec.template as ReturnType<typeof template> | undefined;
    if (live?.spec.initContainers[0]) live.spec.initContainers[0].image = 'registry.local/agent-runtime:v2';
    expect(await patchPoolTemplate(ctx, pool, ask())).toMatchObject({ ok: true, value: { changed: true } });
    expect(world.pool?.spec.template).toMatchObject({
      spec: { initContainers: [{ image: 'registry.local/agent-runtime:v2' }] },
    });
  });

  it('refuses another object of the same name', async () => {
    const { ctx, world } = fakeCluster();
    expect(await patchPoolTemplate(ctx, pool, ask({ uid: 'u-0' }))).toMatchObject({
      problem: { code: 'precondition_failed' },
    });
    expect(patches(world)).toEqual([]);
  });

  it('refuses pools made from a reference before sending anything, and says what to change', async () => {
    const byReference = storedPool({ templateRef: { name: 'reef-v2' } });
    delete byReference.spec.template;
    const { ctx, world } = fakeCluster(byReference);
    expect(await patchPoolTemplate(ctx, pool, ask())).toMatchObject({
      problem: { code: 'precondition_failed', message: expect.stringContaining('SandboxTemplate reef-v2') },
    });
    expect(patches(world)).toEqual([]);
  });

  it('keeps what a webhook says when it refuses, and says when it did not answer, sending once', async () => {
    const refused = fakeCluster();
    refused.world.onPatch = () => {
      throw recordedRefusal('SandboxSet with an empty image');
    };
    expect(await patchPoolTemplate(refused.ctx, pool, ask())).toMatchObject({
      problem: {
        code: 'validation',
        applied: 'no',
        message:
          'admission webhook "v-sbs.kb.io" denied the request: spec.template.spec.containers[0].image: Required value',
      },
    });
    const down = fakeCluster();
    down.world.onPatch = () => {
      throw recordedRefusal('webhook cannot be reached: change the template');
    };
    expect(await patchPoolTemplate(down.ctx, pool, ask())).toMatchObject({
      problem: {
        code: 'webhook_unreachable',
        applied: 'no',
        message: expect.stringContaining('failed calling webhook "md-sbs.kb.io"'),
      },
    });
    for (const { world } of [refused, down]) expect(patches(world)).toHaveLength(1);
  });

  it('never sends again after a time-out', async () => {
    const { ctx, world } = fakeCluster();
    world.onPatch = () => {
      throw timeout();
    };
    expect(await patchPoolTemplate(ctx, pool, ask())).toMatchObject({
      problem: { code: 'upstream_timeout', applied: 'unknown' },
    });
    expect(patches(world)).toHaveLength(1);
  });

  it('sends a busy pool’s 409 once more', async () => {
    const { ctx, world } = fakeCluster();
    let refusals = 1;
    world.onPatch = () => {
      if (refusals-- > 0) throw httpError(409, { kind: 'Status', reason: 'Conflict', message: 'modified', code: 409 });
    };
    expect(await patchPoolTemplate(ctx, pool, ask())).toMatchObject({ ok: true });
    expect(patches(world)).toHaveLength(2);
  });

  it('refuses a container that is not there', async () => {
    const { ctx, world } = fakeCluster();
    const change = { by: 'form' as const, containers: [{ init: false, name: 'sandbx', image: 'x:1' }] };
    expect(await patchPoolTemplate(ctx, pool, ask({ change }))).toMatchObject({
      problem: {
        code: 'validation',
        status: 422,
        message: 'The template has no container sandbx in spec.containers',
        reason: 'noSuchContainer',
        values: { container: 'sandbx', list: 'spec.containers' },
        fields: [{ field: 'spec.containers[sandbx]', message: 'not in the template', reason: 'notInTemplate' }],
      },
    });
    expect(world.calls).toEqual([]);
  });
});

describe('secrets in a template', () => {
  it('survive a form that saw dots, and leave in no answer and no log line', async () => {
    const { ctx, world } = withSecret();
    const before = redactObject(world.pool?.spec.template ?? {});
    const change: PatchPoolTemplateRequest['change'] = {
      by: 'form',
      containers: [{ init: false, name: 'sandbox', env: [{ name: 'EXTRA', value: 'SECRET-typed' }] }],
    };
    const result = await patchPoolTemplate(ctx, pool, ask({ before, change }));
    expect(containerOf(world.pool?.spec.template)?.env).toEqual([
      { name: 'MODE', value: 'dev' },
      { name: 'API_TOKEN', value: 'SECRET-env-55' },
      { name: 'LAST', value: 'x' },
      { name: 'EXTRA', value: 'SECRET-typed' },
    ]);
    expect(JSON.stringify(result)).not.toContain('SECRET-env-55');
    expect(JSON.stringify([world.lines, ctx.audit.recent()])).not.toContain('SECRET-');
    expect(ctx.audit.recent()).toMatchObject([{ summary: 'env EXTRA added' }]);
  });

  it('survive YAML that moves lines around them, with full tests on the server', async () => {
    const { ctx, world } = withSecret();
    const before = redactObject(world.pool?.spec.template ?? {}) as ReturnType<typeof template>;
    const after = structuredClone(before);
    after.spec.containers[0]?.env.reverse();
    const result = await patchPoolTemplate(ctx, pool, ask({ before, change: { by: 'yaml', template: after } }));
    expect(containerOf(world.pool?.spec.template)?.env?.[1]).toEqual({ name: 'API_TOKEN', value: 'SECRET-env-55' });
    const sent = (patches(world)[0]?.body ?? []) as JsonPatchOp[];
    const tests = sent.filter((op) => op.op === 'test');
    expect(JSON.stringify(tests)).toContain('SECRET-env-55');
    expect(JSON.stringify(result)).not.toContain('SECRET-');
  });

  it('are masked in the receipt’s patch even when the operation holds only the value', async () => {
    const { ctx, world } = withSecret();
    const before = redactObject(world.pool?.spec.template ?? {});
    const change: PatchPoolTemplateRequest['change'] = {
      by: 'form',
      containers: [{ init: false, name: 'sandbox', env: [{ name: 'API_TOKEN', value: 'SECRET-new' }] }],
    };
    const result = await patchPoolTemplate(ctx, pool, ask({ before, change }));
    expect(containerOf(world.pool?.spec.template)?.env?.[1]).toEqual({ name: 'API_TOKEN', value: 'SECRET-new' });
    expect(result).toMatchObject({ ok: true, value: { patch: expect.anything() } });
    expect(JSON.stringify([result, world.lines, ctx.audit.recent()])).not.toContain('SECRET-');
  });

  it('are never overwritten with dots', async () => {
    const { ctx, world } = withSecret();
    const before = redactObject(world.pool?.spec.template ?? {}) as ReturnType<typeof template>;
    const after = structuredClone(before);
    const renamed = after.spec.containers[0]?.env[1];
    if (renamed) renamed.name = 'NEW_TOKEN';
    expect(await patchPoolTemplate(ctx, pool, ask({ before, change: { by: 'yaml', template: after } }))).toMatchObject({
      problem: {
        code: 'validation',
        status: 422,
        message: expect.stringContaining('•••'),
        reason: 'maskedValue',
        fields: [{ reason: 'maskedValue' }],
      },
    });
    expect(patches(world)).toEqual([]);
  });
});
