import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KubeClient } from './client';
import { type Change, Reflector } from './reflector';
import { FakeApiServer, fastTiming, sendJson, sendStatus } from './testing/fake-api-server';
import type { Timing } from './timing';

const things = '/apis/agents.kruise.io/v1alpha1/sandboxsets';
const thing = (name: string, more: object = {}, uid = `uid-${name}`) => ({
  metadata: { name, namespace: 'demo', uid },
  spec: more,
});

const until = (check: () => void) => vi.waitFor(check, 5_000);

let api: FakeApiServer;
let reflector: Reflector<unknown> | undefined;
let changes: Change<unknown>[];
let states: string[];

beforeEach(async () => {
  api = await FakeApiServer.start(things);
  changes = [];
  states = [];
});

afterEach(async () => {
  reflector?.stop();
  await api.stop();
});

function reflect(timing: Partial<Timing> = {}): Reflector<unknown> {
  const made = new Reflector<unknown>({
    watched: { kind: 'sandboxsets', path: things },
    client: new KubeClient(api.config()),
    timing: { ...fastTiming, ...timing },
    digest: ({ object }) => ((object as { spec: { broken?: boolean } }).spec.broken ? undefined : object),
    onChange: (change) => changes.push(change),
    onState: () => states.push(made.freshness().state),
    now: Date.now,
  });
  reflector = made;
  void made.run();
  return made;
}

const names = () => changes.map(({ name, value, before }) => `${value ? (before ? '~' : '+') : '-'}${name}`);
const state = () => reflector?.freshness().state;
const lists = () => api.requests(things, 'list').length;
const watching = () => until(() => expect(api.watches(things)).toBe(1));
const has = (name: string) => until(() => expect(reflector?.get('demo', name)).toBeDefined());
const lacks = (name: string) => until(() => expect(reflector?.get('demo', name)).toBeUndefined());

describe('list and watch', () => {
  it('lists in pages, then follows the watch from the version of the list', async () => {
    for (let n = 0; n < 1_203; n++) api.set(things, thing(`t${n}`));
    reflect();
    await watching();
    expect(changes).toHaveLength(1_203);
    expect(lists()).toBe(3);
    expect(state()).toBe('live');
    api.set(things, thing('t1', { replicas: 2 }));
    api.delete(things, 't2', 'demo');
    api.set(things, thing('new'));
    await until(() => expect(names().slice(1_203)).toEqual(['~t1', '-t2', '+new']));
    expect(changes.at(-1)?.live).toBe(true);
    expect(changes[0]?.live).toBe(false);
  });

  it('asks for bookmarks, a bounded life, and the version exactly as it was given', async () => {
    reflect();
    await watching();
    const asked = api.requests(things, 'watch')[0]?.query;
    expect(asked?.get('allowWatchBookmarks')).toBe('true');
    expect(Number(asked?.get('timeoutSeconds'))).toBeGreaterThanOrEqual(240);
    expect(asked?.get('resourceVersion')).toMatch(/^v\d+\.100$/);
  });

  it('moves the resume point on a bookmark and tells nobody', async () => {
    reflect();
    await watching();
    api.bookmark(things);
    api.send(things, 'BOOKMARK', {
      metadata: { resourceVersion: 'v1.777', annotations: { 'k8s.io/initial-events-end': 'true' } },
    });
    api.endWatches(things);
    await until(() => expect(api.requests(things, 'watch')).toHaveLength(2));
    expect(api.requests(things, 'watch')[1]?.query.get('resourceVersion')).toBe('v1.777');
    expect(changes).toEqual([]);
    expect(lists()).toBe(1);
  });

  it('takes the same name with another uid as a delete and an add', async () => {
    api.set(things, thing('pool', {}, 'first'));
    reflect();
    await watching();
    api.send(things, 'ADDED', {
      ...thing('pool', {}, 'second'),
      metadata: { ...thing('pool', {}, 'second').metadata, resourceVersion: 'x' },
    });
    await until(() => expect(names()).toEqual(['+pool', '-pool', '+pool']));
    api.send(things, 'DELETED', thing('pool', {}, 'first'));
    api.set(things, thing('later'));
    await has('later');
    expect(reflector?.get('demo', 'pool')).toMatchObject({ metadata: { uid: 'second' } });
  });

  it('keeps an unreadable object from stopping the others', async () => {
    api.set(things, thing('bad', { broken: true }));
    api.set(things, thing('good'));
    reflect();
    await watching();
    expect(names()).toEqual(['+good']);
    api.send(things, 'MODIFIED', { nothing: 'known' });
    api.set(things, thing('better'));
    await has('better');
    expect(lists()).toBe(1);
  });
});

describe('what interrupts it', () => {
  it('renews a watch that was closed in good order, without listing and without a doubt', async () => {
    reflect();
    await watching();
    api.endWatches(things);
    await until(() => expect(api.requests(things, 'watch')).toHaveLength(2));
    api.set(things, thing('later'));
    await has('later');
    expect(lists()).toBe(1);
    expect(states).toEqual(['live']);
  });

  it('slows down when every watch is closed at once', async () => {
    api.fault = (asked, response) => {
      if (!asked.query.has('watch')) return false;
      response.writeHead(200).end();
      return true;
    };
    reflect({ backoff: { first: 100, most: 3_000 } });
    await until(() => expect(state()).toBe('degraded'));
    await until(() => expect(api.requests(things, 'watch').length).toBeGreaterThanOrEqual(3));
    expect(api.requests(things, 'watch').length).toBeLessThan(6);
    expect(reflector?.freshness().reason).toContain('closes the watch');
    expect(lists()).toBeGreaterThanOrEqual(2);
  });

  it('lists again on 410 as an event of the watch', async () => {
    api.set(things, thing('a'));
    reflect();
    await watching();
    api.compactedAt = 1_000;
    api.endWatches(things);
    await until(() => expect(lists()).toBeGreaterThanOrEqual(2));
    api.compactedAt = 0;
    await watching();
    await until(() => expect(state()).toBe('live'));
    expect(names()).toEqual(['+a']);
  });

  it('lists again on 410 as the answer of the watch', async () => {
    reflect();
    await watching();
    let refused = 0;
    api.fault = (asked, response) => {
      if (!asked.query.has('watch') || refused++ > 0) return false;
      sendStatus(response, 410, 'too old resource version', { reason: 'Expired' });
      return true;
    };
    api.endWatches(things);
    await until(() => expect(lists()).toBe(2));
    await watching();
  });

  it('restarts a list whose page token expired, and shows nothing of it before it is complete', async () => {
    for (let n = 0; n < 1_203; n++) api.set(things, thing(`t${n}`));
    let expired = 0;
    api.fault = (asked, response) => {
      if (asked.query.get('continue') !== '500' || expired++ >= 2) return false;
      expect(changes).toEqual([]);
      sendStatus(response, 410, 'The provided continue parameter is too old', { metadata: { continue: 'fresh' } });
      return true;
    };
    reflect();
    await watching();
    expect(changes).toHaveLength(1_203);
    expect(lists()).toBe(2 + 2 + 3);
  });

  it('gives up on a list that expires again and again, says so, and goes on trying', async () => {
    for (let n = 0; n < 501; n++) api.set(things, thing(`t${n}`));
    api.fault = (asked, response) => {
      if (!asked.query.has('continue')) return false;
      sendStatus(response, 410, 'continue parameter is too old');
      return true;
    };
    reflect();
    await until(() => expect(state()).toBe('degraded'));
    expect(changes).toEqual([]);
    api.fault = () => false;
    await watching();
    expect(changes).toHaveLength(501);
  });

  it('finds out that a connection is silent, and what it missed', async () => {
    api.set(things, thing('a'));
    reflect();
    await watching();
    api.muted = true;
    api.delete(things, 'a', 'demo');
    api.set(things, thing('b'));
    await has('b');
    await lacks('a');
    expect(states).toContain('degraded');
    expect(changes.slice(1).every((change) => !change.live)).toBe(true);
  });

  it('lets another answer vouch for a quiet watch only until a bookmark is due', async () => {
    reflect({ silence: 10_000 });
    await watching();
    const proven = reflector?.freshness().provenAt ?? 0;
    reflector?.vouch(proven + 5_000);
    expect(reflector?.freshness().provenAt).toBe(proven + 5_000);
    reflector?.vouch(proven + 8_000);
    expect(reflector?.freshness().provenAt).toBe(proven + 5_000);
  });

  it('survives a restart of the API server and finds what was deleted meanwhile', async () => {
    api.set(things, thing('a'));
    api.set(things, thing('b'));
    reflect();
    await watching();
    await api.crash();
    await until(() => expect(state()).toBe('degraded'));
    expect(reflector?.get('demo', 'a')).toBeDefined();
    api.delete(things, 'a', 'demo');
    await api.listen();
    await lacks('a');
    await until(() => expect(state()).toBe('live'));
    expect(names()).toEqual(['+a', '+b', '-a']);
  });

  it('is back as soon as the API server is known to answer, however long its back-off', async () => {
    reflect({ backoff: { first: 600_000, most: 600_000 } });
    await watching();
    await api.crash();
    await until(() => expect(state()).toBe('degraded'));
    await api.listen();
    reflector?.retry();
    await until(() => expect(state()).toBe('live'));
  });

  it('tells nothing when a new list holds the same versions', async () => {
    for (let n = 0; n < 20; n++) api.set(things, thing(`t${n}`));
    reflect();
    await watching();
    await api.crash();
    await api.listen();
    await until(() => expect(lists()).toBeGreaterThanOrEqual(2));
    await watching();
    expect(changes).toHaveLength(20);
  });

  it('asks no more often than its back-off allows while nobody answers, and never twice at a time', async () => {
    reflect({ backoff: { first: 50, most: 200 } });
    await watching();
    let open = 0;
    api.fault = (asked, response) => {
      if (asked.path !== things) return false;
      open += 1;
      expect(open).toBe(1);
      setTimeout(() => {
        open -= 1;
        response.destroy();
      }, 5);
      return true;
    };
    const before = api.asked.length;
    const from = Date.now();
    api.endWatches(things);
    await until(() => expect(api.asked.length - before).toBeGreaterThanOrEqual(6));
    // 25 + 50 + 100 + 100 + 100 ms at the very least, after a first attempt that may come at once.
    expect(Date.now() - from).toBeGreaterThan(250);
    api.fault = () => false;
    await watching();
    api.set(things, thing('later'));
    await has('later');
    expect(api.watches(things)).toBe(1);
  });

  it('honours the delay of a server whose version is behind, and drops its own version', async () => {
    const file = path.join(import.meta.dirname, 'fixtures/too-large-resource-version.json');
    const { reply, repeat } = JSON.parse(readFileSync(file, 'utf8'));
    reply.body.details.retryAfterSeconds = 0.2;
    api.set(things, thing('a'));
    reflect();
    await watching();
    const refused: number[] = [];
    const versions: (string | null)[] = [];
    api.fault = (asked, response) => {
      if (asked.path !== things || refused.length >= repeat) return false;
      refused.push(Date.now());
      versions.push(asked.query.get('resourceVersion'));
      sendJson(response, reply.status, reply.body);
      return true;
    };
    api.endWatches(things);
    await until(() => expect(state()).toBe('degraded'));
    expect(reflector?.get('demo', 'a')).toBeDefined();
    await until(() => expect(state()).toBe('live'));
    expect(refused).toHaveLength(4);
    for (let n = 1; n < refused.length; n++)
      expect((refused[n] ?? 0) - (refused[n - 1] ?? 0)).toBeGreaterThanOrEqual(195);
    expect(versions.slice(1)).toEqual([null, null, null]);
  });

  it('takes a kind that is not served as missing, until it is, and again when it is gone', async () => {
    api.serve(things, false);
    reflect();
    await until(() => expect(state()).toBe('missing'));
    expect(reflector?.freshness().reason).toBe(`the API server does not serve ${things}: 404 page not found`);
    api.set(things, thing('a'));
    await has('a');
    expect(state()).toBe('live');
    api.serve(things, false);
    await until(() => expect(state()).toBe('missing'));
    expect(names()).toEqual(['+a', '-a']);
  });

  it('shows the refusal of a kind that may not be listed', async () => {
    const message = 'sandboxsets.agents.kruise.io is forbidden: User "viewer" cannot list resource "sandboxsets"';
    api.fault = (_asked, response) => {
      sendStatus(response, 403, message, { reason: 'Forbidden' });
      return true;
    };
    reflect();
    await until(() => expect(reflector?.freshness()).toMatchObject({ state: 'forbidden', reason: message }));
    api.fault = () => false;
    await until(() => expect(state()).toBe('live'));
  });

  it.each([
    [403, 'sandboxsets.agents.kruise.io is forbidden: RBAC: clusterrole "console" not found'],
    [404, '404 page not found'],
  ])('keeps what it has when an API server that has just started answers %i at first', async (code, message) => {
    api.set(things, thing('a'));
    reflect();
    await watching();
    let refusals = 0;
    api.fault = ({ path: asked }, response) => {
      if (asked !== things || ++refusals > 2) return false;
      sendStatus(response, code, message);
      return true;
    };
    await api.crash();
    await api.listen();
    await watching();
    expect(refusals).toBeGreaterThan(2);
    expect([...new Set(states)]).toEqual(['live', 'degraded']);
    expect(names()).toEqual(['+a']);
  });

  it('says that it is degraded, and why, when the first list already fails', async () => {
    api.fault = (_asked, response) => {
      sendStatus(response, 500, 'etcdserver: request timed out');
      return true;
    };
    reflect();
    await reflector?.settled;
    expect(reflector?.freshness()).toMatchObject({ state: 'degraded', reason: 'etcdserver: request timed out' });
    expect(reflector?.freshness().provenAt).toBeUndefined();
  });

  it('lists again when a line of the watch cannot be understood', async () => {
    reflect();
    await watching();
    api.fault = (asked, response) => {
      if (!asked.query.has('watch')) return false;
      response.writeHead(200).end('{"type":"ADDED","obj\n');
      api.fault = () => false;
      return true;
    };
    api.endWatches(things);
    await until(() => expect(lists()).toBe(2));
    await watching();
  });
});
