import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { httpError } from '@/server/kube/errors';
import { builtInPrincipal } from '../../access/principal';
import type { KubeCall } from '../context';
import { readObject, readObjectIfAny } from './read-object';

const secrets = parse(readFileSync(path.join(import.meta.dirname, 'fixtures/secrets-in-annotations.yaml'), 'utf8'));
const sandbox = {
  ...secrets,
  metadata: { ...secrets.metadata, uid: 's-1', managedFields: [{ manager: 'kubectl' }] },
};
const pod = (owner: string) => ({
  ...sandbox,
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { ...sandbox.metadata, uid: 'p-1', ownerReferences: [{ uid: owner, controller: true }] },
  spec: sandbox.spec.template.spec,
});
const event = (uid: string, about: object) => ({
  metadata: { uid, creationTimestamp: '2026-11-30T10:00:00Z' },
  involvedObject: about,
  reason: 'X',
});
const target = { kind: 'sandboxes', namespace: 'kelp-lab', name: 'harbor-shell-tok3n' } as const;

function cluster(answers: Record<string, unknown>) {
  const calls: KubeCall[] = [];
  const client = {
    async request(call: KubeCall) {
      calls.push(call);
      const body = Object.entries(answers).find(([part]) => call.path.includes(part))?.[1];
      if (body === undefined) throw httpError(404, { kind: 'Status', message: `${call.path} not found` });
      if (body instanceof Error) throw body;
      return { status: 200, body, warnings: [] };
    },
  };
  const freshness = () => ({ kinds: [], cluster: { name: 'c', server: 's', embedded: true, missing: [] } });
  return { calls, ctx: { cluster: { client, freshness }, principal: builtInPrincipal(), now: () => 7 } };
}

describe('readObject', () => {
  it('answers the object, its events and its Pod, without any secret', async () => {
    const { ctx } = cluster({
      '/sandboxes/': sandbox,
      '/pods/': pod('s-1'),
      '/events': {
        items: [
          event('mine', { kind: 'Sandbox', uid: 's-1' }),
          event('pods', { kind: 'Pod', uid: 'p-0' }),
          event('namesake', { kind: 'Sandbox', uid: 's-0' }),
        ],
      },
    });
    const result = await readObject(ctx, target);
    const text = JSON.stringify(result);
    expect(text).not.toContain('SECRET-');
    expect(text).not.toContain('managedFields');
    expect(text).toContain('OPS-1182');
    expect(result).toMatchObject({
      ok: true,
      value: { time: 7, object: { metadata: { uid: 's-1' } }, pod: { metadata: { uid: 'p-1' } } },
    });
    expect(result.ok && result.value.events?.map((e) => e.uid)).toEqual(['pods', 'mine']);
  });

  it('answers with the SandboxTemplate that a sandbox refers to, null where there is none', async () => {
    const template = { metadata: { name: 'tools', namespace: 'kelp-lab', uid: 't-1' }, spec: {} };
    const named = { ...sandbox, spec: { templateRef: { name: 'tools' } } };
    const answers = { '/sandboxes/': named, '/events': { items: [] } };
    const templateOf = async (answer: object) => {
      const result = await readObject(cluster({ ...answers, ...answer }).ctx, target);
      return result.ok ? result.value.template : undefined;
    };
    expect(await templateOf({ '/sandboxtemplates/tools': template })).toMatchObject({ metadata: { uid: 't-1' } });
    expect(await templateOf({})).toBeNull();
    const forbidden = httpError(403, { kind: 'Status', message: 'no' });
    expect(await templateOf({ '/sandboxtemplates/tools': forbidden })).toBeUndefined();
  });

  it('answers with the checkpoints of a sandbox, none where the kind is not there, nothing where they may not be read', async () => {
    const of = (name: string, spec: object) => ({ metadata: { name, namespace: 'kelp-lab', uid: name }, spec });
    const items = [
      of('mine', { sandboxName: target.name }),
      of('of-its-pod', { podName: target.name }),
      of('other', { sandboxName: 'other' }),
      of('legacy', {}),
    ];
    const answers = { '/sandboxes/': sandbox, '/events': { items: [] } };
    const checkpointsOf = async (answer: object) => {
      const result = await readObject(cluster({ ...answers, ...answer }).ctx, target);
      return result.ok ? result.value.checkpoints?.map(({ metadata }) => metadata.name) : undefined;
    };
    expect(await checkpointsOf({ '/checkpoints': { items } })).toEqual(['mine', 'of-its-pod']);
    expect(await checkpointsOf({})).toEqual([]);
    expect(await checkpointsOf({ '/checkpoints': httpError(403, { kind: 'Status', message: 'no' }) })).toBeUndefined();
  });

  it('asks by name in the namespace, as the person', async () => {
    const { ctx, calls } = cluster({ '/sandboxsets/': { ...sandbox, kind: 'SandboxSet' }, '/events': { items: [] } });
    await readObject(ctx, { kind: 'sandboxsets', namespace: 'kelp-lab', name: 'harbor' });
    expect(calls).toEqual([
      {
        method: 'GET',
        path: '/apis/agents.kruise.io/v1alpha1/namespaces/kelp-lab/sandboxsets/harbor',
        as: ctx.principal,
      },
      {
        method: 'GET',
        path: '/api/v1/namespaces/kelp-lab/events',
        query: { fieldSelector: 'involvedObject.name=harbor' },
        as: ctx.principal,
      },
    ]);
  });

  it('leaves out a Pod that another sandbox of that name left behind', async () => {
    const { ctx } = cluster({ '/sandboxes/': sandbox, '/pods/': pod('s-0'), '/events': { items: [] } });
    const result = await readObject(ctx, target);
    expect(result.ok && 'pod' in result.value).toBe(false);
  });

  it('still answers when events may not be read, and says why', async () => {
    const refused = httpError(403, { kind: 'Status', message: 'events is forbidden: User "vera" cannot list' });
    const { ctx } = cluster({ '/sandboxes/': sandbox, '/events': refused });
    expect(await readObject(ctx, target)).toMatchObject({
      ok: true,
      value: { events: null, eventsProblem: 'events is forbidden: User "vera" cannot list' },
    });
  });

  it('passes on what the API server says of an object that is not there', async () => {
    await expect(readObject(cluster({}).ctx, target)).rejects.toMatchObject({ name: 'KubeError', status: 404 });
  });

  it('answers null where it need not be there', async () => {
    const forbidden = httpError(403, { kind: 'Status', message: 'no' });
    expect(await readObjectIfAny(cluster({}).ctx, target)).toEqual({ ok: true, value: null });
    const refused = readObjectIfAny(cluster({ '/sandboxes/': forbidden }).ctx, target);
    await expect(refused).rejects.toMatchObject({ name: 'KubeError', status: 403 });
  });
});
