import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HubSource, View } from './hub';
import { Hub } from './hub';
import { sseResponse } from './sse';

const view: View = { key: '*', sees: () => true };
let change: (uid: string) => void;
let hub: Hub;

beforeEach(() => {
  const row = (uid: string) => ({
    uid,
    ns: 'demo',
    name: uid,
    phase: 'x'.repeat(50_000),
    state: 'Running' as const,
    sinceFrom: 'unknown' as const,
  });
  const source: HubSource = {
    rows: () => [],
    row: (_kind, uid) => row(uid) as never,
    freshness: () => ({ kinds: [], cluster: { name: 'c', server: 's', embedded: false, missing: [] } }),
    prove: async () => undefined,
    onState: () => () => undefined,
    onChange(listener) {
      change = (uid) => listener({ kind: 'sandboxes', uid, namespace: 'demo' });
      return () => undefined;
    },
  };
  hub = new Hub(source, { flushMs: 1 });
});
afterEach(() => hub.stop());

function open(signal = new AbortController().signal) {
  const onEnd = vi.fn();
  const { cursor } = hub.list(view);
  const { response } = sseResponse({ hub, view, cursor, signal, onEnd });
  const body = response.body;
  if (!body) throw new Error('no body');
  return { response, reader: body.getReader(), onEnd };
}
const text = async (reader: ReadableStreamDefaultReader<Uint8Array>) =>
  new TextDecoder().decode((await reader.read()).value);

it('cannot be held back or cached, and speaks at once', async () => {
  const { response, reader } = open();
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(await text(reader)).toMatch(/^: .*\nretry: \d+\n\n$/);
  expect(await text(reader)).toMatch(/^id: \w+-\d+\ndata: \{"type":"heartbeat"/);
});

it('carries the cursor as id, from which another stream continues', async () => {
  const { reader } = open();
  await text(reader);
  await text(reader);
  change('a');
  const delta = await text(reader);
  const id = /^id: (.*)$/m.exec(delta)?.[1] ?? '';
  expect(JSON.parse(/^data: (.*)$/m.exec(delta)?.[1] ?? '').cursor).toBe(id);
  change('b');
  const { response } = sseResponse({ hub, view, cursor: id, signal: new AbortController().signal });
  const again = response.body?.getReader();
  if (!again) throw new Error('no body');
  await text(again);
  expect(await text(again)).toContain('"uid":"b"');
});

it.each(['abort', 'cancel', 'end of the server'])('cleans up once after %s', async (how) => {
  const gone = new AbortController();
  const { reader, onEnd } = open(gone.signal);
  expect(hub.subscribers).toBe(1);
  if (how === 'abort') gone.abort();
  else if (how === 'cancel') await reader.cancel();
  else hub.stop();
  gone.abort();
  expect(hub.subscribers).toBe(0);
  expect(onEnd).toHaveBeenCalledOnce();
});

it('does not begin for a browser that is gone already', async () => {
  const { reader, onEnd } = open(AbortSignal.abort());
  expect((await reader.read()).done).toBe(true);
  expect(hub.subscribers).toBe(0);
  expect(onEnd).toHaveBeenCalledOnce();
});

it('opens and closes by the hundred without a trace', async () => {
  const opened = Array.from({ length: 500 }, () => {
    const gone = new AbortController();
    return { gone, ...open(gone.signal) };
  });
  expect(hub.subscribers).toBe(500);
  await Promise.all(opened.map(({ gone, reader }, n) => (n % 2 ? reader.cancel() : gone.abort())));
  expect(hub.subscribers).toBe(0);
});

it('holds back what a browser does not read, and sends the newest when it does', async () => {
  vi.useFakeTimers();
  const { reader } = open();
  for (let n = 0; n < 200; n++) {
    change(`row-${n % 20}`);
    vi.advanceTimersByTime(20);
  }
  vi.useRealTimers();
  await reader.read();
  const sizes: number[] = [];
  let read = '';
  while (!read.includes('row-19')) {
    const { value } = await reader.read();
    sizes.push(value?.length ?? 0);
    read += new TextDecoder().decode(value);
  }
  // Ten megabytes of changes of twenty rows: what waited is bounded by the mark plus all rows once.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(256 * 1024 + 2 * 20 * 51_000);
  expect(hub.subscribers).toBe(1);
});
