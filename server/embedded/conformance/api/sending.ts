import { setTimeout as sleep } from 'node:timers/promises';
import { parse as parseYaml } from 'yaml';
import type { Client, OpenWatch, Received } from '../client';
import { expand, type Request } from './script';

// The garbage collector looks for new kinds every half minute.
const PATIENCE_MS = 60_000;
const POLL_MS = 50;

const PATCH_TYPES: Record<string, string> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

const ACCEPT: Record<string, string> = {
  table: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  metadata: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json',
  'metadata list': 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json',
};

/** Sends a request, again until its answer is as wanted; or reads the next events of an open watch. */
export async function perform(
  client: Client,
  step: Request,
  values: Map<string, string>,
  watches: Map<string, OpenWatch>,
): Promise<Received> {
  if (step.from !== undefined) {
    const lines = await watches.get(step.from)?.next(step.count ?? 1);
    return { status: 200, text: (lines ?? []).join('\n') };
  }
  const sent = sentOf(step, values);
  let received = await client.send(sent);
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if (step.until?.(received.status, parseBody(received.text)) !== false) return received;
    received = await client.send(sent);
  }
  // Not the last answer: it may be the recorded one by chance, and nobody would learn of the wait.
  return { status: 0, text: `waited in vain, the last answer was ${received.status} ${received.text}` };
}

/** A request as it goes out, with what it names of earlier answers filled in. */
export function sentOf({ line, body, type, accept, as, groups }: Request, values: Map<string, string>) {
  const { method, path } = expand(line);
  const fill = (text: string) =>
    text.replace(/\{(ns|[\w.-]+\.(?:uid|rv|continue|name))\}/g, (_, name: string) => values.get(name) ?? `{${name}}`);
  const contentType = PATCH_TYPES[type ?? (method === 'PATCH' ? 'merge' : '')] ?? type ?? 'application/json';
  const text = body === undefined ? undefined : fill(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    method,
    path: fill(path).replaceAll(' ', '%20'),
    headers: {
      ...(text === undefined ? {} : { 'Content-Type': contentType }),
      ...(accept === undefined ? {} : { Accept: ACCEPT[accept] ?? accept }),
      ...(as === undefined ? {} : { 'Impersonate-User': fill(as) }),
      ...(groups === undefined ? {} : { 'Impersonate-Group': groups }),
    },
    ...(text === undefined ? {} : { body: text }),
  };
}

/** JSON, JSON lines (a watch), YAML, or the text itself. */
export function parseBody(text: string): unknown {
  if (text.startsWith('apiVersion: ')) return parseYaml(text);
  if (!/^\s*[[{]/.test(text) || text.startsWith('[+]')) return text;
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.every((line) => line.startsWith('{')) ? lines.map((line) => JSON.parse(line)) : text;
  }
}

/** Keeps what later requests of the script may name. */
export function learn(body: unknown, keep: string | undefined, values: Map<string, string>): void {
  if (typeof body !== 'object' || body === null || !('metadata' in body)) return;
  const metadata = body.metadata as Record<string, unknown>;
  for (const name of [keep, metadata.name]) {
    if (typeof name !== 'string') continue;
    for (const [as, key] of [
      ['uid', 'uid'],
      ['rv', 'resourceVersion'],
      ['continue', 'continue'],
      ['name', 'name'],
    ] as const) {
      if (typeof metadata[key] === 'string') values.set(`${name}.${as}`, metadata[key]);
    }
  }
}
