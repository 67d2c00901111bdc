import type { Freshness, RowsReply, StreamMessage } from '@/lib/contracts/stream';
import { noSettings } from '@/lib/domain/limits';
import type { LiveEnvironment, StreamSource } from './environment';

export class FakeStream implements StreamSource {
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  send(message: StreamMessage | string): void {
    this.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) });
  }

  fail(): void {
    this.onerror?.();
  }

  close(): void {
    this.closed = true;
  }
}

/** A tab whose server is the test. Works with fake timers: both clocks are theirs. */
export class FakeTab implements LiveEnvironment {
  streams: FakeStream[] = [];
  lists: { url: string; answer(reply: object, status?: number): void; fail(): void }[] = [];
  isHidden = false;
  #listeners = new Set<() => void>();

  steady = () => performance.now();
  wall = () => Date.now();
  random = () => 1;
  hidden = () => this.isHidden;
  onFrame = (run: () => void) => void setTimeout(run, 16);

  fetch(url: string, signal: AbortSignal): Promise<Response> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      this.lists.push({
        url,
        answer: (reply, status = 200) => resolve(Response.json(reply, { status })),
        fail: () => reject(new Error('connection refused')),
      });
    });
  }

  openStream(url: string): StreamSource {
    const stream = new FakeStream(url);
    this.streams.push(stream);
    return stream;
  }

  /** Granted at once unless other tabs hold every stream; then when the test grants it. */
  crowded = false;
  grant: () => void = () => undefined;
  acquireStream(granted: () => void): () => void {
    if (this.crowded) this.grant = granted;
    else granted();
    return () => undefined;
  }

  onVisibilityChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  hide(hidden: boolean): void {
    this.isHidden = hidden;
    for (const listener of this.#listeners) listener();
  }

  get stream(): FakeStream {
    const last = this.streams.at(-1);
    if (!last) throw new Error('no stream was opened');
    return last;
  }

  get list() {
    const last = this.lists.at(-1);
    if (!last) throw new Error('nothing was listed');
    return last;
  }
}

const cluster = { name: 'test', server: 'http://test', embedded: false, missing: [] };

export const sandbox = (uid: string, more: object = {}) => ({
  uid,
  ns: 'demo',
  name: `name-${uid}`,
  phase: 'Running',
  state: 'Running' as const,
  sinceFrom: 'unknown' as const,
  ...more,
});
export const pool = (uid: string, available: number) => ({
  uid,
  ns: 'demo',
  name: `name-${uid}`,
  desired: 5,
  available,
  images: [],
});

/** `state` and `provenAt` of the two core kinds; proven just now unless told otherwise. */
export const freshness = (
  state: 'live' | 'syncing' | 'degraded' | 'forbidden' | 'missing' = 'live',
  provenAt = Date.now(),
): Freshness => ({
  kinds: ['sandboxes', 'sandboxsets'].map((kind) => ({ kind, state, ...(state === 'syncing' ? {} : { provenAt }) })),
  cluster,
});

export const reply = (
  seq: number,
  rows: Partial<RowsReply['rows']> = {},
  more: Partial<RowsReply> = {},
): RowsReply => ({
  cursor: `epoch-${seq}`,
  time: Date.now(),
  freshness: freshness(),
  limits: noSettings,
  marks: 'v1',
  rows: { sandboxes: [], sandboxsets: [], sandboxupdateops: [], sandboxclaims: [], nodes: [], namespaces: [], ...rows },
  ...more,
});

export const delta = (
  seq: number,
  upserts: Partial<RowsReply['rows']>,
  removes: Extract<StreamMessage, { type: 'delta' }>['removes'] = {},
): Extract<StreamMessage, { type: 'delta' }> => ({
  type: 'delta',
  cursor: `epoch-${seq}`,
  time: Date.now(),
  upserts,
  removes,
});

export const heartbeat = (seq: number, fresh = freshness(), limits = noSettings, marks = 'v1'): StreamMessage => ({
  type: 'heartbeat',
  cursor: `epoch-${seq}`,
  time: Date.now(),
  freshness: fresh,
  limits,
  marks,
});
