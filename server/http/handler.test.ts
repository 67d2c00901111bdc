import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { httpError } from '@/server/kube/errors';
import { maxBodyBytes } from './body';
import { handler } from './handler';
import { objectParams } from './names';

const body = z.object({ to: z.number().int().min(0) });
const params = objectParams;

function call(headers: Record<string, string> = {}, text = '{"to":3}') {
  return new Request('http://console.local/api/v1/pools/lab/web/scale', {
    method: 'POST',
    headers: { 'content-type': 'application/json', host: 'console.local', ...headers },
    body: text,
  });
}
const context = (over = {}) => ({ params: Promise.resolve({ namespace: 'lab', name: 'web', ...over }) });

describe('handler', () => {
  const fn = vi.fn(async (input: { body: { to: number }; params: { name: string } }) => ({
    ok: true as const,
    value: { set: input.body.to, name: input.params.name },
  }));
  const write = handler({ params, body, access: 'write' }, fn);

  it('hands over what it parsed, and answers JSON with the request’s id', async () => {
    const response = await write(call({ 'x-request-id': 'abcd-1234' }), context());
    expect(await response.json()).toEqual({ set: 3, name: 'web' });
    expect(response.headers.get('x-request-id')).toBe('abcd-1234');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('makes an id of its own when the given one is odd', async () => {
    const response = await write(call({ 'x-request-id': 'a b' }), context());
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('answers wrong input with the fields, and does not call', async () => {
    fn.mockClear();
    const response = await write(call({}, '{"to":-1}'), context());
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({
      code: 'malformed',
      reason: 'invalidRequest',
      message: expect.stringMatching(/^to: /),
      fields: [{ field: 'to', reason: 'invalid' }],
      applied: 'no',
      requestId: expect.any(String),
    });
    for (const name of ['..%2f..%2fother', '../x', 'Web', '', 'a'.repeat(254)]) {
      expect((await write(call(), context({ name }))).status).toBe(400);
    }
    expect(fn).not.toHaveBeenCalled();
  });

  it('takes writes from its own pages only, as JSON only, and of a bounded size', async () => {
    fn.mockClear();
    const refusals = [
      [call({ origin: 'https://elsewhere.example.org', 'sec-fetch-site': 'cross-site' }), 403, 'foreignPage'],
      [call({ 'content-type': 'text/plain' }), 415, 'bodyType'],
      [call({}, 'no json'), 400, 'bodyNotJson'],
      [call({}, `{"to":1,"pad":"${'x'.repeat(maxBodyBytes)}"}`), 413, 'bodyTooLarge'],
    ] as const;
    for (const [request, status, reason] of refusals) {
      const response = await write(request, context());
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ status, reason });
    }
    expect(fn).not.toHaveBeenCalled();
  });

  it('says when to come back after too many writes', async () => {
    vi.stubEnv('CONSOLE_USER', 'busy');
    const responses: Response[] = [];
    for (let i = 0; i < 60; i++) responses.push(await write(call(), context()));
    vi.unstubAllEnvs();
    const limited = responses.find((r) => r.status === 429);
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await limited?.json()).toMatchObject({ code: 'rate_limited', applied: 'no' });
  });

  it('turns the API server’s refusal into a problem with its words', async () => {
    const read = handler({ access: 'read' }, async () => {
      throw httpError(404, { kind: 'Status', message: 'sandboxes "x" not found', reason: 'NotFound' });
    });
    const response = await read(new Request('http://c/api'), context());
    expect(response.status).toBe(404);
    const body = await response.json();
    expect(body).toMatchObject({ code: 'not_found', message: 'sandboxes "x" not found' });
    expect(body).not.toHaveProperty('reason');
  });

  it('tells nothing of its own faults but the request’s id', async () => {
    const read = handler({ access: 'read' }, async () => {
      throw new Error('SECRET-db at /srv/app.ts:1');
    });
    const response = await read(new Request('http://c/api'), context());
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toContain('SECRET-');
    expect(JSON.parse(text)).toMatchObject({ code: 'internal', requestId: expect.any(String) });
  });

  it('lets a stream through with the request’s id', async () => {
    const stream = handler({ access: 'read' }, async () => new Response('data: 1\n\n'));
    const response = await stream(new Request('http://c/api', { headers: { 'x-request-id': 'abcd-1234' } }), context());
    expect(await response.text()).toBe('data: 1\n\n');
    expect(response.headers.get('x-request-id')).toBe('abcd-1234');
  });

  it('takes a DELETE without a body, from its own pages only', async () => {
    const remove = handler({ params, access: 'write' }, async () => ({ ok: true, value: { removed: true } }));
    const of = (site: string) =>
      new Request('http://console.local/api/v1/triage/x', { method: 'DELETE', headers: { 'sec-fetch-site': site } });
    expect(await (await remove(of('same-origin'), context())).json()).toEqual({ removed: true });
    expect((await remove(of('cross-site'), context())).status).toBe(403);
  });

  it('parses the query', async () => {
    const query = z.object({ minutes: z.coerce.number().max(60) });
    const read = handler({ query, access: 'read' }, async (c) => ({ ok: true, value: c.query.minutes }));
    expect(await (await read(new Request('http://c/api?minutes=5'), context())).json()).toBe(5);
    expect((await read(new Request('http://c/api?minutes=99'), context())).status).toBe(400);
  });
});
