import 'server-only';
import { z } from 'zod';
import { once } from '../once';
import type { Principal } from './principal';

/** The one call these checks need from the cluster's client. */
export type AccessClient = {
  request(call: { method: 'POST'; path: string; body: unknown; as: Principal; timeoutMs: number }): Promise<{
    body: unknown;
  }>;
};

/** What is asked. `namespace` absent: in all namespaces, or a kind without namespace. */
export type AccessQuestion = {
  verb: string;
  group: string;
  resource: string;
  subresource?: string;
  namespace?: string;
};

/**
 * `unknown` is neither yes nor no: the API server could not be asked, and will decide when it is. `last`: what it answered
 * to the same question before, if that is not too long ago to show by.
 */
export type Access =
  | { state: 'allowed' }
  | { state: 'denied'; reason?: string }
  | { state: 'unknown'; error: string; last?: 'allowed' | 'denied' };

const answer = z.looseObject({
  status: z.looseObject({
    allowed: z.boolean(),
    reason: z.string().optional(),
    evaluationError: z.string().optional(),
  }),
});

const keepMs = 60_000;
const keepAtMost = 5_000;
/** An answer of before an outage stands for so long, where it only decides what is shown. */
const lastMs = 15 * 60_000;

/** `last`: the latest yes or no, and when it was asked for. */
type Entry = { at: number; access: Promise<Access>; last?: { at: number; state: 'allowed' | 'denied' } };
const caches = once('access.can', () => new WeakMap<AccessClient, Map<string, Entry>>());

/** Tells a person's question from every other. */
export const keyOf = (who: Principal, q: AccessQuestion) =>
  JSON.stringify([who.impersonate, who.subject, who.groups, q.verb, q.group, q.resource, q.subresource, q.namespace]);

/**
 * Asks the API server (SelfSubjectAccessReview) whether this person may do this, and remembers a yes or no for a minute.
 * It never throws. The verb and subresource are part of the question: scaling needs `patch sandboxsets/scale`, nothing wider.
 */
export function can(
  client: AccessClient,
  principal: Principal,
  question: AccessQuestion,
  now = Date.now(),
): Promise<Access> {
  let cache = caches.get(client);
  if (!cache) {
    cache = new Map();
    caches.set(client, cache);
  }
  const key = keyOf(principal, question);
  const known = cache.get(key);
  if (known && now - known.at < keepMs) return known.access;
  if (cache.size >= keepAtMost) cache.clear();
  const last = known?.last && now - known.last.at < lastMs ? known.last : undefined;
  const access = ask(client, principal, question).then(
    (answered): Access => (answered.state === 'unknown' && last ? { ...answered, last: last.state } : answered),
  );
  const entry: Entry = { at: now, access, ...(last ? { last } : {}) };
  cache.set(key, entry);
  void access.then((a) => {
    if (a.state !== 'unknown') entry.last = { at: now, state: a.state };
    else if (cache.get(key) !== entry) return;
    // Asked again the next time.
    else if (last) entry.at = Number.NEGATIVE_INFINITY;
    else cache.delete(key);
  });
  return access;
}

/** What was answered last, if that still stands where it only decides what is shown. Asks nothing. */
export function lastAnswer(
  client: AccessClient,
  principal: Principal,
  question: AccessQuestion,
  now = Date.now(),
): 'allowed' | 'denied' | undefined {
  const last = caches.get(client)?.get(keyOf(principal, question))?.last;
  return last && now - last.at < lastMs ? last.state : undefined;
}

/** Forgets what was answered, after the API server refused something that was thought allowed. */
export function forgetAccess(client: AccessClient): void {
  caches.delete(client);
}

async function ask(client: AccessClient, as: Principal, q: AccessQuestion): Promise<Access> {
  try {
    const reply = await client.request({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      as,
      timeoutMs: 5_000,
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: {
          resourceAttributes: {
            group: q.group,
            resource: q.resource,
            verb: q.verb,
            ...(q.subresource ? { subresource: q.subresource } : {}),
            ...(q.namespace ? { namespace: q.namespace } : {}),
          },
        },
      },
    });
    const { status } = answer.parse(reply.body);
    if (status.allowed) return { state: 'allowed' };
    if (status.evaluationError) return { state: 'unknown', error: status.evaluationError };
    return status.reason ? { state: 'denied', reason: status.reason } : { state: 'denied' };
  } catch (error) {
    return { state: 'unknown', error: error instanceof Error ? error.message : String(error) };
  }
}
