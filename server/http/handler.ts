import 'server-only';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Problem } from '@/lib/contracts/problem';
import { KubeError, toProblem } from '@/server/kube/errors';
import { type Principal, principalOf } from '../access/principal';
import { log } from '../log';
import { type Failure, type Result, refuse } from '../services/result';
import { readJson } from './body';
import { takeToken } from './rate';
import { asksOwnHost, fromOwnPages } from './same-origin';

/** What a route's function gets, parsed. */
export type Call<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  principal: Principal;
  requestId: string;
  /** Aborted when the browser goes away. */
  signal: AbortSignal;
};

type Spec<P, Q, B> = {
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
  /** A write takes JSON only (a DELETE nothing), from the console's own pages only, and at a bounded rate. */
  access: 'read' | 'write';
  /** Of a body that may be larger than most. */
  bodyBytes?: number;
};

/** What Next hands to a route handler. */
type RouteContext = { params: Promise<Record<string, string | string[] | undefined>> };

/**
 * The one door of every API route: request id, person, parsing, protection of writes, problem+json, one log line.
 * A function answers a {@link Result}, sent as JSON, or a Response of its own (streams).
 */
export function handler<P = undefined, Q = undefined, B = undefined>(
  spec: Spec<P, Q, B>,
  fn: (call: Call<P, Q, B>) => Promise<Result<unknown> | Response>,
): (request: Request, context: RouteContext) => Promise<Response> {
  return async (request, context) => {
    const started = Date.now();
    const requestId = requestIdOf(request);
    const principal = principalOf(request);
    const line = {
      requestId,
      actor: principal.subject,
      method: request.method,
      path: new URL(request.url).pathname,
    };
    const answer = await run(spec, fn, request, context, { principal, requestId }).catch((error: unknown) => {
      if (error instanceof KubeError) {
        return { ok: false as const, problem: toProblem(error, { write: spec.access === 'write' }) };
      }
      log.error({ key: 'http.fault', ...line, err: error });
      const more = spec.access === 'write' ? ({ applied: 'unknown' } as const) : {};
      return refuse('internal', 'fault', {}, more);
    });
    const ms = Date.now() - started;
    if (answer instanceof Response) {
      log.debug({ key: 'http.request', ...line, status: answer.status, ms });
      answer.headers.set('x-request-id', requestId);
      return answer;
    }
    if (answer.ok) {
      log[spec.access === 'write' ? 'info' : 'debug']({ key: 'http.request', ...line, status: 200, ms });
      return json(answer.value, 200, requestId);
    }
    const { code, status, message } = answer.problem;
    log.warn({ key: 'http.problem', ...line, status, code, message, ms });
    return problemResponse(answer.problem, requestId);
  };
}

async function run<P, Q, B>(
  spec: Spec<P, Q, B>,
  fn: (call: Call<P, Q, B>) => Promise<Result<unknown> | Response>,
  request: Request,
  context: RouteContext,
  who: { principal: Principal; requestId: string },
): Promise<Result<unknown> | Response> {
  let raw: unknown;
  if (!asksOwnHost(request.headers)) {
    return refuse('forbidden', 'wrongHost', { host: request.headers.get('host') ?? '–' }, { applied: 'no' });
  }
  if (spec.access === 'write') {
    if (!fromOwnPages(request.headers)) return refuse('forbidden', 'foreignPage', {}, { applied: 'no' });
    const wait = takeToken(who.principal.subject, Date.now());
    if (wait > 0) return refuse('rate_limited', 'tooManyWrites', {}, { retryAfterSeconds: wait, applied: 'no' });
    // A form of another site can send no DELETE; everything else has to be JSON, which it cannot send either.
    if (request.method !== 'DELETE') {
      const body = await readJson(request, spec.bodyBytes);
      if ('problem' in body) return { ok: false, problem: body.problem };
      raw = body.value;
    }
  }
  const params = parse(spec.params, await context.params);
  const query = parse(spec.query, Object.fromEntries(new URL(request.url).searchParams));
  const body = parse(spec.body, raw);
  if (!params.ok) return params;
  if (!query.ok) return query;
  if (!body.ok) return body;
  return fn({ params: params.value, query: query.value, body: body.value, ...who, signal: request.signal });
}

/** Without a schema there is nothing to hand over, and T is `undefined` (the defaults of {@link handler}). */
function parse<T>(schema: z.ZodType<T> | undefined, value: unknown): Result<T> {
  if (!schema) return { ok: true, value: undefined as T };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const fields = parsed.error.issues.map((i) => ({
    field: i.path.join('.'),
    message: i.message,
    reason: 'invalid' as const,
  }));
  // zod's words are more than the sentence, and are for whoever wrote the request.
  const message = fields.map((f) => (f.field ? `${f.field}: ${f.message}` : f.message)).join('; ');
  return refuse('malformed', 'invalidRequest', {}, { message, fields, applied: 'no' });
}

function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
}

function json(value: unknown, status: number, requestId: string, type = 'application/json'): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': type, 'cache-control': 'no-store', 'x-request-id': requestId },
  });
}

function problemResponse(failure: Failure, requestId: string): Response {
  const body: Problem = { ...failure, requestId };
  const response = json(body, failure.status, requestId, 'application/problem+json');
  if (failure.retryAfterSeconds !== undefined) response.headers.set('retry-after', String(failure.retryAfterSeconds));
  return response;
}
