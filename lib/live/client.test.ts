import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveClient } from './client';
import { delta, FakeTab, freshness, heartbeat, pool, reply, sandbox } from './testing';

let tab: FakeTab;
let client: LiveClient;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-29T10:00:00Z') });
  tab = new FakeTab();
  client = new LiveClient(undefined, tab);
});
afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const state = () => client.status().state;
const uids = () => client.rows('sandboxes').map(({ uid }) => uid);

async function loaded(): Promise<void> {
  client.start();
  tab.list.answer(reply(10, { sandboxes: [sandbox('a')] }));
  await settle();
  tab.stream.send(heartbeat(10));
  await settle(20);
}

/** Heartbeats as a healthy server sends them. */
async function alive(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    await settle(10_000);
    tab.stream.send(heartbeat(10));
    await settle(20);
  }
}

describe('list, then watch', () => {
  it('lists, then continues from the cursor of the list', async () => {
    await loaded();
    expect(tab.list.url).toBe('/api/v1/rows?');
    expect(tab.stream.url).toBe('/api/v1/stream?cursor=epoch-10');
    tab.stream.send(delta(11, { sandboxes: [sandbox('b')] }));
    await settle(20);
    expect(uids()).toEqual(['a', 'b']);
    expect(state()).toBe('live');
  });

  it('asks for its namespaces only', async () => {
    client = new LiveClient(['team-a', 'team-b'], tab);
    client.start();
    tab.list.answer(reply(1));
    await settle();
    expect(tab.list.url).toBe('/api/v1/rows?namespaces=team-a,team-b');
    expect(tab.stream.url).toBe('/api/v1/stream?cursor=epoch-1&namespaces=team-a,team-b');
  });

  it('is loading, not empty, until the server has seen everything', async () => {
    client.start();
    await settle(2_500);
    expect(state()).toBe('loading');
    tab.list.answer(reply(0, {}, { freshness: freshness('syncing') }));
    await settle(100);
    expect(state()).toBe('loading');
    tab.stream.send(delta(3, { sandboxsets: [pool('a', 1), pool('b', 1), pool('c', 1)] }));
    tab.stream.send(heartbeat(3));
    await settle(20);
    expect(state()).toBe('live');
    expect(client.rows('sandboxsets')).toHaveLength(3);
  });

  it('applies what came within one frame at once', async () => {
    await loaded();
    const told = vi.fn();
    client.onRows('sandboxes', told);
    for (let n = 11; n < 16; n++) tab.stream.send(delta(n, { sandboxes: [sandbox(`s${n}`)] }));
    expect(told).not.toHaveBeenCalled();
    await settle(16);
    expect(told).toHaveBeenCalledOnce();
    expect(uids()).toHaveLength(6);
  });
});

describe('interruptions', () => {
  it('reconnects from where it was, says so meanwhile, and gets what it missed', async () => {
    await loaded();
    tab.stream.send(delta(20, { sandboxes: [sandbox('ops', { phase: 'Updating' })] }));
    await settle(20);
    tab.stream.fail();
    await settle(1_100);
    expect(tab.streams).toHaveLength(2);
    expect(tab.stream.url).toContain('cursor=epoch-20');
    await settle(1_000);
    expect(state()).toBe('reconnecting');
    tab.stream.send(delta(31, { sandboxes: [sandbox('ops', { phase: 'Completed' })] }));
    tab.stream.send(heartbeat(31));
    await settle(20);
    expect(state()).toBe('live');
    expect(client.row('sandboxes', 'ops')?.phase).toBe('Completed');
  });

  it('makes nothing of an interruption of a second', async () => {
    await loaded();
    const states = new Set<string>();
    client.onStatus(() => states.add(state()));
    tab.stream.fail();
    await settle(1_000);
    tab.stream.send(heartbeat(10));
    await settle(20);
    expect(states).toEqual(new Set(['live']));
  });

  it('lists again on a gap, and keeps the rows until the new ones are there', async () => {
    await loaded();
    const old = tab.stream;
    old.send({ type: 'gap', time: Date.now(), reason: 'expired' });
    await settle(20);
    expect(old.closed).toBe(true);
    expect(uids()).toEqual(['a']);
    expect(tab.lists).toHaveLength(2);
    tab.list.answer({ ...reply(1, { sandboxes: [sandbox('b')] }), cursor: 'next-1' });
    await settle(20);
    expect(uids()).toEqual(['b']);
    expect(tab.stream.url).toContain('cursor=next-1');
  });

  it('lists again when a message is of another server process', async () => {
    await loaded();
    tab.stream.send({ ...delta(5, { sandboxes: [sandbox('x')] }), cursor: 'other-5' });
    await settle(1_100);
    expect(uids()).toEqual(['a']);
    expect(tab.lists).toHaveLength(2);
  });

  it('lists again, and slows down, when it cannot understand what it is sent', async () => {
    await loaded();
    const at: number[] = [];
    for (let n = 0; n < 4; n++) {
      const lists = tab.lists.length;
      tab.stream.send('{"type":"surprise"}');
      const from = Date.now();
      while (tab.lists.length === lists) await settle(100);
      at.push(Date.now() - from);
      tab.list.answer(reply(20 + n));
      await settle(20);
    }
    expect(at).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it('backs off up to half a minute while there is no server, and never stops trying', async () => {
    await loaded();
    tab.stream.fail();
    await settle(1_000);
    const attempts = () => tab.streams.length + tab.lists.length;
    for (let n = 0; n < 8; n++) {
      if (tab.stream.closed) tab.list.fail();
      else tab.stream.fail();
      await settle(30_000);
    }
    expect(attempts()).toBeLessThan(14);
    const before = attempts();
    if (tab.stream.closed) tab.list.fail();
    else tab.stream.fail();
    await settle(29_000);
    expect(attempts()).toBe(before);
    await settle(1_100);
    expect(attempts()).toBe(before + 1);
    expect(client.status().state).toBe('reconnecting');
    expect(client.status().dataFrom).toBe(Date.parse('2026-11-29T10:00:00Z'));
  });

  it('notices a socket that neither speaks nor closes', async () => {
    await loaded();
    await alive(60);
    const dead = tab.stream;
    await settle(13_000);
    expect(state()).toBe('delayed');
    await settle(13_500);
    expect(dead.closed).toBe(true);
    expect(state()).toBe('reconnecting');
    expect(tab.streams).toHaveLength(2);
    await settle(20_000);
    expect(tab.streams).toHaveLength(2);
    tab.stream.send(heartbeat(10));
    await settle(20);
    expect(state()).toBe('live');
  });

  it('is stale at once after a sleep, and back with one attempt', async () => {
    await loaded();
    await alive(20);
    const before = tab.streams.length + tab.lists.length;
    vi.setSystemTime(Date.now() + 8 * 3_600_000);
    await settle(1_000);
    expect(state()).toBe('reconnecting');
    expect(client.status().ageMs).toBeGreaterThan(7 * 3_600_000);
    expect(tab.streams.length + tab.lists.length).toBe(before + 1);
    tab.stream.send(heartbeat(10));
    await settle(20);
    expect(state()).toBe('live');
  });

  it('comes back by itself from a server that stops, and stays away when it lost its rights', async () => {
    await loaded();
    tab.stream.send({ type: 'end', time: Date.now(), reason: 'stopping', retry: true });
    await settle(1_100);
    expect(tab.streams).toHaveLength(2);
    tab.stream.send({ type: 'end', time: Date.now(), reason: 'forbidden', retry: false });
    await settle(120_000);
    expect(tab.streams).toHaveLength(2);
    expect(state()).toBe('forbidden');
  });
});

describe('many tabs', () => {
  it('lists every few seconds while others hold every stream, is live all the same, and streams when it may', async () => {
    tab.crowded = true;
    client.start();
    tab.list.answer(reply(10, { sandboxes: [sandbox('a')] }));
    await settle(1_000);
    expect(tab.streams).toHaveLength(0);
    expect(state()).toBe('live');
    await settle(5_000);
    expect(tab.lists).toHaveLength(2);
    tab.list.answer(reply(11, { sandboxes: [sandbox('a'), sandbox('b')] }));
    await settle(20);
    expect(uids()).toEqual(['a', 'b']);
    tab.grant();
    expect(tab.stream.url).toBe('/api/v1/stream?cursor=epoch-11');
    tab.stream.send(heartbeat(11));
    await alive(20);
    expect(tab.lists).toHaveLength(2);
  });
});

describe('many tabs and a broken stream', () => {
  it('does not take a silent stream for live while the next one has not been granted', async () => {
    await loaded();
    tab.crowded = true;
    await settle(28_000);
    expect(tab.streams[0]?.closed).toBe(true);
    expect(state()).toBe('reconnecting');
    tab.list.answer(reply(12, { sandboxes: [sandbox('a')] }));
    await settle(6_000);
    tab.list.answer(reply(12, { sandboxes: [sandbox('a')] }));
    await settle(20);
    expect(state()).toBe('live');
  });
});

describe('visibility', () => {
  it('lets go of the stream some seconds after it was hidden, and comes back where it was', async () => {
    await loaded();
    const stream = tab.stream;
    tab.hide(true);
    await settle(4_900);
    expect(stream.closed).toBe(false);
    await settle(100);
    expect(stream.closed).toBe(true);
    await settle(600_000);
    expect(tab.streams).toHaveLength(1);
    tab.hide(false);
    expect(tab.streams).toHaveLength(2);
    expect(tab.stream.url).toBe('/api/v1/stream?cursor=epoch-10');
    expect(client.status().ageMs).toBeGreaterThan(600_000);
    expect(state()).not.toBe('live');
    tab.stream.send(heartbeat(10));
    await settle(20);
    expect(state()).toBe('live');
  });

  it('follows in the background only until it is clear that nobody looks', async () => {
    tab.isHidden = true;
    await loaded();
    const stream = tab.stream;
    await settle(5_000);
    expect(stream.closed).toBe(true);
    tab.hide(false);
    await settle(20);
    expect(tab.streams.filter(({ closed }) => !closed)).toHaveLength(1);
  });

  it('forgets about a short look elsewhere', async () => {
    await loaded();
    tab.hide(true);
    await settle(4_000);
    tab.hide(false);
    await settle(60);
    expect(tab.streams).toHaveLength(1);
  });
});

describe('freshness', () => {
  it('is as old as the slowest kind that is needed', async () => {
    await loaded();
    const kinds = freshness();
    const [first, second] = kinds.kinds;
    if (!first || !second) throw new Error('two kinds');
    first.provenAt = Date.now() - 9_000;
    tab.stream.send(heartbeat(10, kinds));
    await settle(20);
    expect(client.status()).toMatchObject({ state: 'live', ageMs: 9_000 });
    await settle(5_000);
    expect(client.status()).toMatchObject({ state: 'delayed', ageMs: 13_000 });
    second.provenAt = Date.now();
    tab.stream.send(
      heartbeat(10, {
        ...kinds,
        kinds: [
          { kind: 'sandboxes', state: 'missing' },
          { ...second, state: 'live' },
        ],
      }),
    );
    await settle(20);
    expect(client.status()).toMatchObject({ state: 'live', ageMs: 0 });
  });

  it('goes by the server’s clock, whatever the browser’s says', async () => {
    vi.setSystemTime(Date.now() + 3 * 3_600_000);
    client.start();
    const time = Date.parse('2026-11-29T10:00:00Z');
    tab.list.answer(reply(1, {}, { time, freshness: freshness('live', time) }));
    await settle(20);
    expect(client.status()).toMatchObject({ state: 'live', ageMs: 0 });
    await settle(1_000);
    expect(client.tickedAt() - time).toBeLessThan(1_100);
  });

  it('says reconnecting when the server itself has lost the cluster', async () => {
    await loaded();
    tab.stream.send(heartbeat(10, freshness('degraded')));
    await settle(20);
    expect(client.status()).toMatchObject({ state: 'reconnecting', freshness: { kinds: [{ state: 'degraded' }, {}] } });
  });

  it('tells failed from empty when the cluster was never reached', async () => {
    client.start();
    const lost = freshness();
    lost.kinds = [{ kind: 'sandboxes', state: 'degraded', reason: 'connect ECONNREFUSED' } as never];
    tab.list.answer(reply(0, {}, { freshness: lost }));
    await settle(20);
    expect(client.status()).toMatchObject({ state: 'failed', problem: { message: 'connect ECONNREFUSED' } });
  });

  it('shows the problem of a first list that fails, and forbidden as what it is', async () => {
    client.start();
    tab.list.answer({ code: 'internal', status: 500, message: 'out of order', requestId: 'r1' }, 500);
    await settle(20);
    expect(client.status()).toMatchObject({ state: 'failed', problem: { message: 'out of order', requestId: 'r1' } });
    await settle(1_100);
    tab.list.answer({ code: 'forbidden', status: 403, message: 'no', requestId: 'r2' }, 403);
    await settle(20);
    expect(state()).toBe('forbidden');
    await settle(2_100);
    tab.list.answer(reply(1));
    await settle();
    tab.stream.send(heartbeat(1));
    await settle(20);
    expect(state()).toBe('live');
  });
});

describe('the person', () => {
  it('pauses and resumes from where it was', async () => {
    await loaded();
    client.controls.pause();
    expect(tab.stream.closed).toBe(true);
    await settle(60_000);
    expect(tab.streams).toHaveLength(1);
    expect(state()).toBe('paused');
    client.controls.resume();
    tab.stream.send(heartbeat(10));
    await settle(20);
    expect(tab.streams).toHaveLength(2);
    expect(state()).toBe('live');
  });

  it('refreshes, and knows when the new rows are there', async () => {
    await loaded();
    const done = vi.fn();
    void client.controls.refresh().then(done);
    await settle(100);
    expect(done).not.toHaveBeenCalled();
    tab.list.answer(reply(12, { sandboxes: [sandbox('b')] }));
    await settle();
    expect(done).toHaveBeenCalled();
    expect(uids()).toEqual(['b']);
    expect(tab.streams).toHaveLength(1);
  });

  it('forgets that a refresh has failed as soon as the stream shows that all is well', async () => {
    await loaded();
    void client.controls.refresh();
    tab.list.fail();
    await settle();
    expect(client.status().problem).toMatchObject({ code: 'upstream_unavailable' });
    tab.stream.send(heartbeat(10));
    await settle(20);
    expect(client.status()).toMatchObject({ state: 'live' });
    expect(client.status().problem).toBeUndefined();
  });

  it('keeps whoever refreshes waiting when another list takes over', async () => {
    await loaded();
    const done = vi.fn();
    void client.controls.refresh().then(done);
    tab.stream.send({ type: 'gap', time: Date.now(), reason: 'slow' });
    await settle(20);
    expect(done).not.toHaveBeenCalled();
    tab.list.answer(reply(12, { sandboxes: [sandbox('b')] }));
    await settle();
    expect(done).toHaveBeenCalled();
    expect(uids()).toEqual(['b']);
  });

  it('leaves nothing running behind', async () => {
    await loaded();
    client.stop();
    await settle(100);
    expect(vi.getTimerCount()).toBe(0);
    client.start();
    expect(tab.stream.url).toContain('cursor=epoch-10');
  });
});
