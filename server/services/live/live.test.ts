import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RowsReply, rowsReply } from '@/lib/contracts/stream';
import type { Scope } from '@/server/access/scope';
import { Cluster } from '@/server/kube/cluster';
import { watched } from '@/server/kube/kinds';
import { FakeApiServer, fastTiming } from '@/server/kube/testing/fake-api-server';
import { Hub } from '@/server/live/hub';
import { listRows } from './list-rows';
import { openStream } from './open-stream';
import { readiness } from './readiness';
import type { ViewQuestion } from './view';

let api: FakeApiServer;
let cluster: Cluster;
let hub: Hub;

beforeEach(async () => {
  api = await FakeApiServer.start(...Object.values(watched).map(({ path }) => path));
  for (const namespace of ['team-a', 'team-b']) {
    api.set(watched.namespaces.path, { metadata: { name: namespace, uid: namespace } });
    api.set(watched.sandboxes.path, {
      metadata: { name: 's', namespace, uid: `s-${namespace}` },
      status: { phase: 'Running' },
    });
  }
  cluster = new Cluster(api.config(), fastTiming);
  hub = new Hub(cluster);
  cluster.start();
});
afterEach(async () => {
  vi.useRealTimers();
  hub.stop();
  cluster.stop();
  await api.stop();
});

const ownIdentity: ViewQuestion['principal'] = { subject: 'operator', groups: [], impersonate: false };
const vera: ViewQuestion['principal'] = { subject: 'vera', groups: [], impersonate: true };
const only = (...namespaces: string[]): Scope => ({
  maySee: (kind, namespace) => kind === 'namespaces' || (kind !== 'nodes' && namespaces.includes(namespace ?? '')),
});
const none: Scope = { maySee: () => false };

function question(more: Partial<ViewQuestion> = {}): ViewQuestion {
  const known = () => Array.from(cluster.rows('namespaces'), ({ name }) => name);
  const scope = () => Promise.reject(new Error('the console itself needs no scope'));
  return { principal: ownIdentity, namespaces: undefined, scope, known, answers: () => true, ...more };
}
async function list(asked: ViewQuestion): Promise<RowsReply> {
  const answer = await listRows({ hub, cluster }, asked);
  if (!(answer instanceof Response)) throw new Error('refused');
  return rowsReply.parse(await answer.json());
}
const uids = (reply: RowsReply) => reply.rows.sandboxes.map(({ uid }) => uid).sort();

describe('rows', () => {
  it('wait for the first list of every kind', async () => {
    const reply = await list(question());
    expect(uids(reply)).toEqual(['s-team-a', 's-team-b']);
    expect(reply.freshness.kinds).toHaveLength(Object.keys(watched).length);
    expect(reply.freshness.kinds.every(({ state }) => state === 'live')).toBe(true);
  });

  it('are of the namespaces asked for, with all namespaces to choose from', async () => {
    const reply = await list(question({ namespaces: ['team-b'] }));
    expect(uids(reply)).toEqual(['s-team-b']);
    expect(reply.rows.namespaces).toHaveLength(2);
  });

  it('are those that an impersonated person may list, and a refusal when there are none', async () => {
    await cluster.ready(5_000);
    expect(uids(await list(question({ principal: vera, scope: async () => only('team-a') })))).toEqual(['s-team-a']);
    const refused = await listRows({ hub, cluster }, question({ principal: vera, scope: async () => none }));
    expect(refused).toMatchObject({ ok: false, problem: { code: 'forbidden' } });
  });

  it('are cached by nobody, and made once for many who come together', async () => {
    const made = vi.spyOn(hub, 'list');
    const asked = question({ namespaces: ['team-a'] });
    const answers = await Promise.all([1, 2, 3].map(() => listRows({ hub, cluster }, asked)));
    for (const answer of answers) {
      if (!(answer instanceof Response)) throw new Error('refused');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(uids(rowsReply.parse(await answer.json()))).toEqual(['s-team-a']);
    }
    expect(made).toHaveBeenCalledOnce();
  });
});

describe('a stream', () => {
  async function stream(asked: ViewQuestion) {
    const { cursor } = await list(asked);
    const gone = new AbortController();
    const answer = await openStream(hub, asked, { cursor, signal: gone.signal });
    const reader = answer instanceof Response ? answer.body?.getReader() : undefined;
    if (!reader) throw new Error('refused');
    const got = { text: '', done: false };
    void (async () => {
      for (;;) {
        const { value, done } = await reader.read();
        got.done = done;
        if (done) return;
        got.text += new TextDecoder().decode(value);
      }
    })();
    return { got, gone };
  }

  it('continues a list with what happens in the cluster', async () => {
    const { got, gone } = await stream(question({ namespaces: ['team-a'] }));
    api.set(watched.sandboxes.path, { metadata: { name: 'other', namespace: 'team-b', uid: 'other' } });
    api.set(watched.sandboxes.path, { metadata: { name: 'new', namespace: 'team-a', uid: 'new' } });
    await vi.waitFor(() => expect(got.text).toContain('"uid":"new"'), 5_000);
    expect(got.text).not.toContain('"uid":"other"');
    gone.abort();
    expect(hub.subscribers).toBe(0);
  });

  it('asks for rights every minute: fewer mean a new list, none the end, silence nothing', async () => {
    await cluster.ready(5_000);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let rights = only('team-a', 'team-b');
    let answers = true;
    const asked = question({ principal: vera, scope: async () => rights, answers: () => answers });
    const first = await stream(asked);
    answers = false;
    rights = none;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(hub.subscribers).toBe(1);
    answers = true;
    rights = only('team-a');
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(() => expect(first.got.text).toContain('"type":"gap"'));
    const second = await stream(asked);
    rights = none;
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(() => expect(second.got.text).toContain('"reason":"forbidden","retry":false'));
    expect(second.got.done).toBe(true);
    expect(hub.subscribers).toBe(0);
  });
});

describe('readiness', () => {
  it('is given when every kind was listed, or is known to be absent', async () => {
    api.serve(watched.sandboxclaims.path, false);
    await cluster.ready(5_000);
    await vi.waitFor(() => expect(readiness(cluster.freshness()).ready).toBe(true), 5_000);
    const unseen = { ...cluster.freshness(), kinds: [{ kind: 'pods', state: 'syncing' as const }] };
    expect(readiness(unseen)).toEqual({ ready: false, kinds: { pods: 'syncing' } });
    const lost = { ...unseen, kinds: [{ kind: 'pods', state: 'degraded' as const, reason: 'connect ECONNREFUSED' }] };
    expect(readiness(lost)).toEqual({ ready: false, kinds: { pods: 'degraded' }, reason: 'connect ECONNREFUSED' });
  });
});
