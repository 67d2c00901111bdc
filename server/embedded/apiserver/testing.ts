import { type Fields, fieldsOf, textOf } from './core/objects';

/** Tests stop and start servers on the same port, so no connection outlives its request. */
const ONE_REQUEST = { Connection: 'close' };

/** A JSON answer. */
export interface Reply {
  status: number;
  body: Fields;
}

/** Sends a request to an API server; patches are merge patches unless said otherwise. */
export async function send(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await fetch(url, {
    method,
    headers: { 'Content-Type': type, ...ONE_REQUEST, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

export interface WatchEvent {
  type: string;
  object: Fields;
}

/** An open watch: events in order, and a way to wait for them. */
export interface OpenWatch {
  events: WatchEvent[];
  /** Resolves when this many events have come. */
  until(count: number): Promise<WatchEvent[]>;
  /** Resolves when the server ends the watch. */
  ended: Promise<void>;
  stop(): void;
}

export async function openWatch(url: string, headers: Record<string, string> = {}): Promise<OpenWatch> {
  const stopping = new AbortController();
  const answer = await fetch(url, { signal: stopping.signal, headers: { ...ONE_REQUEST, ...headers } });
  const events: WatchEvent[] = [];
  const waiting = new Set<() => void>();
  const read = async () => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      events.push(...lines.map((line): WatchEvent => JSON.parse(line)));
      for (const check of waiting) check();
    }
  };
  return {
    events,
    until: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (events.length < count) return;
          waiting.delete(check);
          resolve(events);
        };
        waiting.add(check);
        check();
      }),
    ended: read().catch(() => undefined),
    stop: () => stopping.abort(),
  };
}

/** `ADDED web` for each event. */
export function summary(events: readonly WatchEvent[]): string[] {
  return events.map(({ type, object }) => `${type} ${textOf(object, 'metadata', 'name')}`.trim());
}

export function versionOf(object: unknown): string {
  return textOf(fieldsOf(object, 'metadata'), 'resourceVersion');
}

export const AGENTS = '/apis/agents.kruise.io/v1alpha1/namespaces/default';

export function sandbox(name: string, labels: Record<string, string> = {}, spec: object = {}) {
  return { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'Sandbox', metadata: { name, labels }, spec };
}

export const pod = (name: string, nodeName?: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    containers: [{ name: 'sandbox', image: 'registry.local/code:v1' }],
    ...(nodeName === undefined ? {} : { nodeName }),
  },
});
