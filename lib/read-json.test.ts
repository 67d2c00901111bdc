import { expect, it } from 'vitest';
import { z } from 'zod';
import { RequestError, readJson } from './read-json';

const schema = z.object({ n: z.number() });
const answering = (body: unknown, status = 200) => {
  const send = async () =>
    typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status });
  return (init?: RequestInit) => readJson(schema, '/api/x', init, send);
};
const failure = async (read: Promise<unknown>) => {
  const error = await read.then(
    () => undefined,
    (error: unknown) => error,
  );
  return error instanceof RequestError ? error.problem : error;
};

it('is the answer, without what the schema does not know', async () => {
  expect(await answering({ n: 1, more: true })()).toEqual({ n: 1 });
});

it('throws the problem that the server sent', async () => {
  const told = { code: 'forbidden', status: 403, message: 'no', requestId: 'r' };
  expect(await failure(answering(told, 403)())).toEqual(told);
});

it.each([
  ['no JSON', answering('<html>', 502), 0],
  ['another error body', answering({ error: 'bad gateway' }, 502), 502],
  ['another shape', answering({ n: 'one' }), 200],
])('throws a problem of its own for %s', async (_, read, status) => {
  expect(await failure(read())).toMatchObject({ code: 'upstream_unavailable', status });
});

it('does not know whether a write happened whose answer was lost', async () => {
  expect(await failure(answering('', 502)({ method: 'POST' }))).toMatchObject({ applied: 'unknown' });
  expect(await failure(answering('', 502)())).not.toHaveProperty('applied');
});

it('rejects as fetch does when the caller gave up', async () => {
  const signal = AbortSignal.abort(new Error('given up'));
  const send = async (_: string, init: RequestInit) => Promise.reject(init.signal?.reason);
  await expect(readJson(schema, '/api/x', { signal }, send)).rejects.toThrow('given up');
});
