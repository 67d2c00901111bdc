import { basename } from 'node:path';
import { z } from 'zod';
import type { Client } from '../client';
import { comparable, differences } from '../comparable';
import { parseLine, readJsonLines } from '../json-lines';
import type { Report } from '../result';
import { parseBody } from './sending';
import { Stage } from './stage';

const lineSchema = z.object({
  what: z.string(),
  method: z.string(),
  path: z.string(),
  contentType: z.string().nullish(),
  body: z.unknown(),
  status: z.number(),
  response: z.unknown(),
  responseHeaders: z.record(z.string(), z.string()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  user: z.string().optional(),
  note: z.string().optional(),
});
type Line = z.infer<typeof lineSchema>;

/** What the server that is asked has besides its API. */
export interface Abilities {
  /** The agents webhooks answer. */
  webhooks: boolean;
  /** Makes the webhooks unreachable, or reachable again. */
  setWebhooksAway?(away: boolean): Promise<void> | void;
  /** Forgets the history, as compaction does. */
  compact?(): void;
}

/**
 * Whether a file holds recorded requests, one a line, rather than a scenario.
 * @throws UnusableFile
 */
export const isRefusals = (file: string): boolean => lineSchema.safeParse(readJsonLines(file)[0]?.value).success;

/**
 * Sends the requests of a recording, in its order and in the state that it was made in, and compares the answers.
 * @throws UnusableFile
 */
export async function runRefusals(client: Client, report: Report, file: string, abilities: Abilities): Promise<void> {
  const lines = readJsonLines(file).map((line) => parseLine(line, lineSchema, 'recorded request'));
  const stage = new Stage(client);
  const run = Date.now().toString(36).slice(-4);
  const namespaces = new Map<string, string>();
  for (const name of new Set(lines.flatMap(({ path }) => /namespaces\/(rec-\d+)\//.exec(path)?.[1] ?? []))) {
    const own = `${name}-${run}`;
    namespaces.set(name, own);
    await stage.set(
      own,
      lines.map(({ path }) => path).filter((path) => path.includes(`/${name}/`)),
    );
  }
  const values = new Map<string, string>(namespaces);
  try {
    for (const [index, line] of lines.entries()) {
      const skipped = skipReason(line, abilities);
      const result = { suite: 'api' as const, group: basename(file), name: `${index} ${line.what}` };
      if (skipped !== undefined) {
        report({ ...result, outcome: 'skipped', details: [skipped] });
        continue;
      }
      await before(line, stage, namespaces, abilities);
      const details = await compare(client, line, values, [...namespaces.values()]);
      report({ ...result, outcome: details.length === 0 ? 'passed' : 'failed', details });
    }
  } finally {
    await abilities.setWebhooksAway?.(false);
    for (const name of namespaces.values()) await client.send({ method: 'DELETE', path: `/api/v1/namespaces/${name}` });
  }
}

const isDenial = ({ response }: Line) => /admission webhook "/.test(JSON.stringify(response));
const isAway = ({ what }: Line) => what.startsWith('webhook cannot be reached');
const NEEDS_NODE = /\/pods\/[^/]+\/(log|exec)/;
const asksForOld = ({ path }: Line) => /resourceVersion=\d{1,3}&.*Exact/.test(path);

function skipReason(line: Line, { webhooks, setWebhooksAway, compact }: Abilities): string | undefined {
  if (!webhooks && (isDenial(line) || isAway(line) || isDefaulted(line)))
    return 'the agents webhooks are not installed there';
  if (isAway(line) && setWebhooksAway === undefined) return 'the webhooks there cannot be taken away';
  if (asksForOld(line) && compact === undefined) return 'the history there cannot be forgotten at will';
  if (NEEDS_NODE.test(line.path)) return 'the recorded nodes had no address, these have one';
  return undefined;
}

/** An accepted write of a pool shows the defaults of the webhook. */
const isDefaulted = ({ method, path, status }: Line) =>
  status < 300 && method !== 'GET' && /sandboxsets|sandboxtemplates/.test(path) && !path.includes('/scale');

/** What people and controllers did just before a line. */
async function before(line: Line, stage: Stage, names: Map<string, string>, abilities: Abilities): Promise<void> {
  const namespace = names.get(/namespaces\/(rec-\d+)\//.exec(line.path)?.[1] ?? '') ?? '';
  if (isAway(line)) await abilities.setWebhooksAway?.(true);
  if (line.path.endsWith('/sandboxclaims/keep')) await stage.claim(namespace);
  if (line.path.includes('watch=1&resourceVersion=1&')) abilities.compact?.();
  if (line.what.startsWith('watch from the resourceVersion of page 1')) await stage.annotatePool(namespace);
  if (line.path.endsWith('/del-me')) await stage.sandbox(namespace, 'del-me', false);
  if (line.path.endsWith('/del-fin')) await stage.sandbox(namespace, 'del-fin', true);
}

async function compare(client: Client, line: Line, values: Map<string, string>, names: string[]): Promise<string[]> {
  const payload = bodyOf(line, values);
  const received = await client.send({
    method: line.method,
    path: translated(line.path, values),
    headers: headersOf(line),
    ...(payload === undefined ? {} : { body: payload }),
  });
  const body = parseBody(received.text);
  learn(line.response, body, values);
  // A recorded watch is a list even of one event.
  const isWatch = line.path.includes('watch=1') && Array.isArray(line.response);
  const got = isWatch && !Array.isArray(body) ? (body === '' ? [] : [body]) : body;
  const neutral = (value: unknown) =>
    names
      .concat('rec-90', 'rec-91')
      .reduce((each, namespace) => comparable(each, { namespace, controllers: true }), value);
  return differences(
    {
      status: line.status,
      warning: line.responseHeaders?.Warning,
      retryAfter: line.responseHeaders?.['Retry-After'],
      body: neutral(line.response),
    },
    { status: received.status, warning: received.warning, retryAfter: received.retryAfter, body: neutral(got) },
  );
}

function headersOf({ contentType, headers, user, what }: Line): Record<string, string> {
  return {
    ...(contentType ? { 'Content-Type': contentType } : {}),
    ...(user === undefined ? {} : { 'Impersonate-User': user }),
    ...(what === 'wrong bearer token' ? { Authorization: 'Bearer wrong' } : {}),
    ...(what === 'no bearer token' ? { Authorization: '' } : {}),
    ...headers,
  };
}

/** Bodies that are too large to be recorded are described. */
function bodyOf({ body, note = '', path }: Line, values: Map<string, string>): string | undefined {
  const megabytes = /body of ([\d.]+) MB/.exec(note)?.[1];
  const characters = /annotation of (\d+) characters/.exec(note)?.[1];
  const size = megabytes === undefined ? Number(characters) : Number(megabytes) * 1_000_000;
  if (size > 0) {
    const metadata = { name: 'x', annotations: { a: 'x'.repeat(size) } };
    return JSON.stringify({ apiVersion: 'agents.kruise.io/v1alpha1', kind: 'Sandbox', metadata, spec: {} });
  }
  if (body === null || body === undefined) return undefined;
  const text = translated(typeof body === 'string' ? body : JSON.stringify(body), values);
  return path.includes('watch=1') ? undefined : text;
}

/** The recorded names, versions and tokens in the words of this server. */
function translated(text: string, values: Map<string, string>): string {
  let result = text;
  for (const [recorded, own] of values) result = result.replaceAll(recorded, own);
  return result.replace('resourceVersion=500&', 'resourceVersion=2&').replace(/timeoutSeconds=\d/, 'timeoutSeconds=1');
}

/** Notes how this server calls the versions, uids and tokens of a recorded answer. */
function learn(recorded: unknown, own: unknown, values: Map<string, string>): void {
  if (Array.isArray(recorded) && Array.isArray(own)) {
    for (const [index, item] of recorded.entries()) learn(item, own[index], values);
  }
  if (typeof recorded !== 'object' || recorded === null || typeof own !== 'object' || own === null) return;
  for (const [key, value] of Object.entries(recorded)) {
    const other = (own as Record<string, unknown>)[key];
    const named = key === 'resourceVersion' || key === 'continue' || key === 'uid';
    if (named && typeof value === 'string' && value.length > 3 && typeof other === 'string') values.set(value, other);
    else learn(value, other, values);
  }
}
