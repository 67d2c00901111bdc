import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { httpError, KubeError, toProblem } from './errors';

const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, 'fixtures', name), 'utf8');
const refusals: { what: string; status: number; response: unknown }[] = fixture('refusals.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

function problemOf(what: string) {
  const found = refusals.find((each) => each.what.startsWith(what));
  if (!found) throw new Error(`no such refusal: ${what}`);
  return toProblem(httpError(found.status, found.response), { write: true });
}

describe('what a real API server refused', () => {
  it.each([
    ['create what exists already', 'conflict', 'sandboxsets.agents.kruise.io "web" already exists'],
    [
      'merge patch with a stale resourceVersion',
      'conflict',
      'Operation cannot be fulfilled on sandboxsets.agents.kruise.io "web"',
    ],
    ['patch something that does not exist', 'not_found', 'sandboxsets.agents.kruise.io "nope" not found'],
    ['strategic merge patch on a custom resource', 'internal', 'the body of the request was in an unknown format'],
    [
      'delete a pod of a sandbox as somebody else',
      'validation',
      'admission webhook "v-pod-delete.kb.io" denied the request',
    ],
    ['SandboxSet update budget as an object', 'validation', 'admission webhook "md-sbs.kb.io" denied the request'],
    ['wrong bearer token', 'unauthenticated', 'Unauthorized'],
    ['request body over 3 MiB', 'validation', 'Request entity too large'],
    ['list at an exact resourceVersion older', 'stale', 'The resourceVersion for the provided list is too old.'],
    ['get an API group that does not exist', 'not_found', '404 page not found'],
  ])('%s: %s, in its own words, not applied', (what, code, message) => {
    const problem = problemOf(what);
    expect(problem).toMatchObject({ code, applied: 'no' });
    expect(problem.message).toContain(message);
  });

  it('names the fields of a schema refusal', () => {
    expect(problemOf('SandboxSet with a negative number of replicas')).toMatchObject({
      code: 'validation',
      status: 422,
      fields: [{ field: '.spec.replicas', message: 'Invalid value: -1: should be a non-negative integer' }],
    });
    expect(problemOf('SandboxClaim without templateName').fields?.[0]?.field).toBe('spec.templateName');
  });

  it('names the field a webhook complains of', () => {
    expect(problemOf('SandboxSet with an empty image').fields).toEqual([
      { field: 'spec.template.spec.containers[0].image', message: 'Required value' },
    ]);
  });

  it('names the missing right', () => {
    expect(problemOf('limited user: create').missing).toMatchObject({
      verb: 'create',
      group: 'agents.kruise.io',
      resource: 'sandboxsets',
      namespace: 'rec-90',
    });
    expect(problemOf('limited user: get nodes').missing).toEqual({ verb: 'list', group: '', resource: 'nodes' });
  });

  it('keeps the delay that was asked for', () => {
    expect(problemOf('resourceVersion far ahead, list')).toMatchObject({
      code: 'upstream_timeout',
      retryAfterSeconds: 1,
    });
    expect(toProblem(httpError(429, 'slow down', '7'), { write: false })).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 7,
    });
  });

  it('tells an unreachable webhook from an unreachable API server: nothing was applied', () => {
    const { replies } = JSON.parse(fixture('webhook-unreachable.json'));
    for (const { status, body } of replies) {
      const problem = toProblem(httpError(status, body), { write: true });
      expect(problem).toMatchObject({ code: 'webhook_unreachable', applied: 'no', message: body.message });
    }
    expect(problemOf('webhook cannot be reached: change the template').code).toBe('webhook_unreachable');
  });
});

describe('KubeError', () => {
  it('is known across copies of the module, as a build has them', async () => {
    vi.resetModules();
    const copy = await import('./errors');
    expect(copy.KubeError).not.toBe(KubeError);
    expect(copy.httpError(404, {})).toBeInstanceOf(KubeError);
    expect(new Error('KubeError')).not.toBeInstanceOf(KubeError);
    expect(undefined).not.toBeInstanceOf(KubeError);
  });
});

describe('silence', () => {
  const network = (code: string) => new KubeError({ cause: 'network', message: code, code });

  it('does not say whether a write happened', () => {
    const timeout = new KubeError({ cause: 'timeout', message: 'the API server did not answer in time' });
    expect(toProblem(timeout, { write: true })).toMatchObject({ code: 'upstream_timeout', applied: 'unknown' });
    expect(toProblem(network('ECONNRESET'), { write: true })).toMatchObject({
      code: 'upstream_unavailable',
      applied: 'unknown',
    });
    expect(toProblem(httpError(504, ''), { write: true })).toMatchObject({
      code: 'upstream_timeout',
      applied: 'unknown',
    });
    expect(toProblem(timeout, { write: false }).applied).toBeUndefined();
    const untrusted = new KubeError({ cause: 'network', message: 'self-signed', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(toProblem(untrusted, { write: true }).applied).toBe('no');
  });

  it('has a reason of the console’s own, as the words are', () => {
    const timeout = new KubeError({ cause: 'timeout', message: 'the API server did not answer in time' });
    expect(toProblem(timeout, { write: false })).toMatchObject({ reason: 'apiServerSlow' });
    expect(toProblem(httpError(503, ''), { write: false })).toMatchObject({
      reason: 'apiServerWordless',
      values: { status: 503 },
    });
    expect(toProblem(httpError(503, 'upstream connect error'), { write: false })).not.toHaveProperty('reason');
  });

  it('is certain when nothing could be sent', () => {
    expect(toProblem(network('ECONNREFUSED'), { write: true })).toMatchObject({ applied: 'no' });
  });
});
