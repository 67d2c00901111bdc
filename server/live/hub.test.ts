import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RowKind, RowLists, RowOf, SandboxRow } from '@/lib/contracts/rows';
import { type Freshness, type StreamMessage, streamMessage } from '@/lib/contracts/stream';
import type { LimitSettings } from '@/lib/contracts/triage';
import { noSettings } from '@/lib/domain/limits';
import { type RowChange, RowTable } from '@/server/kube/table';
import { Hub, type HubOptions, type HubSource, type Outlet, type View } from './hub';

/** A cluster of rows without a cluster. */
class FakeSource implements HubSource {
  #changed = new Set<(change: RowChange) => void>();
  #stated = new Set<() => void>();
  #tell = (change: RowChange) => {
    for (const listener of this.#changed) listener(change);
  };
  tables: { [K in RowKind]: RowTable<K> } = {
    sandboxes: new RowTable('sandboxes', this.#tell),
    sandboxsets: new RowTable('sandboxsets', this.#tell),
    sandboxupdateops: new RowTable('sandboxupdateops', this.#tell),
    sandboxclaims: new RowTable('sandboxclaims', this.#tell),
    nodes: new RowTable('nodes', this.#tell),
    namespaces: new RowTable('namespaces', this.#tell),
  };
  fresh: Freshness = {
    kinds: [{ kind: 'sandboxes', state: 'live', provenAt: 1 }],
    cluster: { name: 'fake', server: 'http://fake', embedded: false, missing: [] },
  };
  proofs = 0;

  rows<K extends RowKind>(kind: K): Iterable<RowLists[K][number]> {
    return this.tables[kind].rows();
  }
  row<K extends RowKind>(kind: K, uid: string): RowOf<K> | undefined {
    return this.tables[kind].get(uid);
  }
  freshness() {
    return this.fresh;
  }
  async prove() {
    this.proofs += 1;
  }
  onChange(listener: (change: RowChange) => void) {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }
  onState(listener: () => void) {
    this.#stated.add(listener);
    return () => this.#stated.delete(listener);
  }
  state() {
    for (const listener of this.#stated) listener();
  }
  sandbox(uid: string, ns = 'demo', phase = 'Running'): SandboxRow {
    const row: SandboxRow = { uid, ns, name: `name-${uid}`, phase, state: 'Running', sinceFrom: 'unknown' };
    this.tables.sandboxes.set(row);
    return row;
  }
}

class Browser implements Outlet {
  chunks: Uint8Array[] = [];
  closed = false;
  full = false;
  write(chunk: Uint8Array) {
    this.chunks.push(chunk);
    return !this.full;
  }
  close() {
    this.closed = true;
  }
  get messages(): StreamMessage[] {
    return this.chunks.map((chunk) => {
      const text = new TextDecoder().decode(chunk);
      return streamMessage.parse(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? ''));
    });
  }
  get deltas() {
    return this.messages.filter((message) => message.type === 'delta');
  }
  get last() {
    return this.messages.at(-1);
  }
}

const all: View = { key: '*', sees: () => true };
const only = (namespace: string): View => ({
  key: namespace,
  sees: (kind, ns) => kind === 'nodes' || kind === 'namespaces' || ns === namespace,
});

let source: FakeSource;
let hub: Hub;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  source = new FakeSource();
  hub = new Hub(source);
});
afterEach(() => {
  hub.stop();
  vi.useRealTimers();
});

function join(view = all, cursor = hub.list(view).cursor) {
  const browser = new Browser();
  return { browser, subscription: hub.subscribe(view, cursor, browser) };
}
const rebuilt = (options: Partial<HubOptions>) => {
  hub.stop();
  hub = new Hub(source, options);
};

describe('list, then watch', () => {
  it('lists rows with a cursor, and sends what changed after it, once', () => {
    source.sandbox('a');
    const { cursor, rows } = hub.list(all);
    expect(rows.sandboxes).toHaveLength(1);
    source.sandbox('b');
    source.tables.sandboxes.delete(source.sandbox('a'));
    const { browser } = join(all, cursor);
    expect(browser.messages.map(({ type }) => type)).toEqual(['delta', 'heartbeat']);
    const [delta] = browser.deltas;
    expect(delta?.upserts.sandboxes?.map(({ uid }) => uid)).toEqual(['b']);
    expect(delta?.removes).toEqual({ sandboxes: ['a'] });
    vi.advanceTimersByTime(5_000);
    expect(browser.deltas).toHaveLength(1);
  });

  it('starts with a heartbeat, so that a tab knows at once that the stream works', () => {
    const { browser } = join();
    expect(browser.messages).toEqual([
      {
        type: 'heartbeat',
        cursor: hub.list(all).cursor,
        time: 1_000_000,
        freshness: source.fresh,
        limits: noSettings,
        marks: '',
      },
    ]);
  });

  it('tells changed limits at once, without pools of namespaces that the person does not see', () => {
    const pair = { warn: 5_000, breach: 9_000 };
    let limits: LimitSettings = noSettings;
    rebuilt({ limits: () => limits });
    const { browser } = join({ key: 'demo', sees: (_, namespace) => namespace === 'demo' });
    limits = { ...noSettings, version: 1, pools: { 'demo/web': { Resuming: pair }, 'prod/api': { Resuming: pair } } };
    hub.beat();
    const pools = { 'demo/web': { Resuming: pair } };
    expect(browser.messages.at(-1)).toMatchObject({ type: 'heartbeat', limits: { version: 1, pools } });
    expect(hub.list({ key: '', sees: () => false }).limits.pools).toEqual({});
  });

  it('tells the version of marks on sandboxes that the person sees, with the list and when it is another one', () => {
    let change = 1;
    rebuilt({ marks: (sees) => ['demo', 'prod'].filter(sees).join() + change });
    const demo: View = { key: 'demo', sees: (kind, namespace) => kind === 'sandboxes' && namespace === 'demo' };
    expect(hub.list(demo).marks).toBe('demo1');
    const { browser } = join(demo);
    change = 2;
    hub.beat();
    expect(browser.messages).toMatchObject([{ marks: 'demo1' }, { type: 'heartbeat', marks: 'demo2' }]);
  });

  it('answers a cursor of another process, of the future, or none at all with a gap', () => {
    for (const cursor of ['another-1', 'nonsense', hub.list(all).cursor.replace(/\d+$/, '99')]) {
      const { browser, subscription } = join(all, cursor);
      expect(browser.last).toMatchObject({ type: 'gap', reason: 'restarted' });
      expect(browser.closed).toBe(true);
      expect(subscription).toBeUndefined();
    }
  });

  it('answers a cursor that is too old with a gap, and one that is just old enough with the rest', () => {
    rebuilt({ remembered: 100 });
    const old = hub.list(all).cursor;
    source.sandbox('first');
    const kept = hub.list(all).cursor;
    for (let n = 0; n < 125; n++) source.sandbox('a', 'demo', `p${n}`);
    expect(join(all, old).browser.last).toMatchObject({ type: 'gap', reason: 'expired' });
    expect(join(all, kept).browser.last).toMatchObject({ type: 'gap', reason: 'expired' });
    const recent = hub.list(all).cursor;
    source.sandbox('b');
    expect(join(all, recent).browser.deltas[0]?.upserts.sandboxes).toHaveLength(1);
  });
});

describe('coalescing', () => {
  it('sends only the last of many changes of an object, and nothing of one that came and went', () => {
    const { browser } = join();
    for (let n = 0; n < 50; n++) source.sandbox('a', 'demo', `p${n}`);
    source.tables.sandboxes.delete(source.sandbox('gone'));
    vi.advanceTimersByTime(250);
    expect(browser.deltas).toHaveLength(1);
    expect(browser.deltas[0]?.upserts.sandboxes).toEqual([expect.objectContaining({ uid: 'a', phase: 'p49' })]);
    expect(browser.deltas[0]?.removes).toEqual({ sandboxes: ['gone'] });
  });

  it('sends at most four batches a second, and the first change after a pause at once', () => {
    const { browser } = join();
    vi.advanceTimersByTime(1_000);
    source.sandbox('a', 'demo', 'first');
    vi.advanceTimersByTime(20);
    expect(browser.deltas).toHaveLength(1);
    for (let n = 0; n < 100; n++) {
      source.sandbox('a', 'demo', `p${n}`);
      vi.advanceTimersByTime(10);
    }
    expect(browser.deltas.length).toBeLessThanOrEqual(5);
    expect(browser.deltas.length).toBeGreaterThanOrEqual(4);
  });

  it('serialises a batch once for everybody who sees the same', () => {
    const browsers = Array.from({ length: 20 }, () => join().browser);
    source.sandbox('a');
    vi.advanceTimersByTime(250);
    const chunks = new Set(browsers.map((browser) => browser.chunks.at(-1)));
    expect(chunks.size).toBe(1);
    expect(browsers[0]?.deltas).toHaveLength(1);
  });
});

describe('scopes', () => {
  it('keeps namespaces apart; nodes and namespaces go to all', () => {
    source.sandbox('one', 'team-a');
    source.sandbox('two', 'team-b');
    source.tables.nodes.set({ uid: 'n', name: 'node-1' });
    const listed = hub.list(only('team-a'));
    expect(listed.rows.sandboxes.map(({ uid }) => uid)).toEqual(['one']);
    expect(listed.rows.nodes).toHaveLength(1);
    const a = join(only('team-a')).browser;
    const b = join(only('team-b')).browser;
    source.sandbox('three', 'team-b');
    source.tables.sandboxes.delete(source.sandbox('two', 'team-b'));
    source.tables.namespaces.set({ uid: 'ns', name: 'team-c' });
    vi.advanceTimersByTime(250);
    expect(a.deltas).toEqual([
      expect.objectContaining({ upserts: { namespaces: [{ uid: 'ns', name: 'team-c' }] }, removes: {} }),
    ]);
    expect(b.deltas[0]).toMatchObject({ upserts: { sandboxes: [{ uid: 'three' }] }, removes: { sandboxes: ['two'] } });
  });

  it('moves the cursor of a scope in which nothing happens', () => {
    const { browser } = join(only('quiet'));
    source.sandbox('a', 'busy');
    vi.advanceTimersByTime(250);
    expect(browser.deltas).toEqual([]);
    source.state();
    expect(browser.last).toMatchObject({ type: 'heartbeat', cursor: hub.list(all).cursor });
  });

  it('ends, or lists anew, when rights change', () => {
    const lost = join();
    const less = join();
    lost.subscription?.forbid();
    less.subscription?.resync();
    expect(lost.browser.last).toMatchObject({ type: 'end', reason: 'forbidden', retry: false });
    expect(less.browser.last).toMatchObject({ type: 'gap', reason: 'resync' });
    expect(hub.subscribers).toBe(0);
  });
});

describe('heartbeats', () => {
  it('come every ten seconds, after asking the API server for a proof, and at once when a state changes', async () => {
    const { browser } = join();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(browser.messages.filter(({ type }) => type === 'heartbeat')).toHaveLength(4);
    expect(source.proofs).toBe(3);
    source.fresh = { ...source.fresh, kinds: [{ kind: 'sandboxes', state: 'degraded', since: 5, reason: 'gone' }] };
    source.state();
    expect(browser.last).toMatchObject({
      type: 'heartbeat',
      freshness: { kinds: [{ state: 'degraded', reason: 'gone' }] },
    });
  });
});

describe('slow browsers', () => {
  it('get nothing while they are busy, and then everything at once', () => {
    const { browser, subscription } = join();
    browser.full = true;
    source.sandbox('a', 'demo', 'p0');
    vi.advanceTimersByTime(250);
    const before = browser.chunks.length;
    for (let n = 0; n < 40; n++) {
      source.sandbox('a', 'demo', `p${n}`);
      source.sandbox(`b${n}`);
      vi.advanceTimersByTime(250);
    }
    expect(browser.chunks.length).toBe(before);
    browser.full = false;
    subscription?.drained();
    expect(browser.chunks.length).toBe(before + 1);
    expect(browser.deltas.at(-1)?.upserts.sandboxes).toHaveLength(41);
    source.sandbox('c');
    vi.advanceTimersByTime(250);
    expect(browser.deltas.at(-1)?.upserts.sandboxes?.map(({ uid }) => uid)).toEqual(['c']);
  });

  it('are told to list again when they take nothing for half a minute, and cost nothing any more', async () => {
    const { browser } = join();
    const other = join().browser;
    browser.full = true;
    for (let n = 0; n < 40; n++) {
      source.sandbox('a', 'demo', `p${n}`);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(browser.last).toMatchObject({ type: 'gap', reason: 'slow' });
    expect(browser.closed).toBe(true);
    expect(hub.subscribers).toBe(1);
    expect(other.deltas.at(-1)?.upserts.sandboxes?.[0]?.phase).toBe('p39');
  });

  it('take nothing with them from whoever joins as they are dropped', () => {
    const { browser } = join();
    browser.full = true;
    source.sandbox('a');
    vi.advanceTimersByTime(5_000);
    vi.setSystemTime(Date.now() + 31_000);
    source.sandbox('a', 'demo', 'Paused');
    const next = join().browser;
    expect(browser.closed).toBe(true);
    source.sandbox('b');
    vi.advanceTimersByTime(5_000);
    expect(next.deltas.at(-1)?.upserts.sandboxes?.map(({ uid }) => uid)).toEqual(['b']);
  });
});

describe('the end', () => {
  it('is told to everybody, and to whoever comes later', () => {
    const { browser } = join();
    hub.stop();
    expect(browser.last).toMatchObject({ type: 'end', reason: 'stopping', retry: true });
    expect(browser.closed).toBe(true);
    expect(join().browser.last).toMatchObject({ type: 'end', reason: 'stopping' });
    expect(hub.subscribers).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind when the last one goes', () => {
    const timers = vi.getTimerCount();
    const { subscription } = join();
    source.sandbox('a');
    subscription?.end();
    subscription?.end();
    expect(hub.subscribers).toBe(0);
    expect(vi.getTimerCount()).toBe(timers);
  });
});
