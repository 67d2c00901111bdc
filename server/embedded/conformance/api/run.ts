import { setTimeout as sleep } from 'node:timers/promises';
import { parse as parseYaml } from 'yaml';
import type { Client, OpenWatch, Received } from '../client';
import { comparable, differences } from '../comparable';
import { waitFor } from '../definitions';
import type { Report } from '../result';
import { type Answer, readAnswers, writeAnswers } from './answers';
import { expand, type Request, type Script } from './script';
import { themes } from './scripts/index';
import { GADGET_CRD, WIDGET_CRD } from './widget-crd';

// The garbage collector looks for new kinds every half minute.
const PATIENCE_MS = 60_000;
const POLL_MS = 50;
/** How many scripts run side by side. */
const LANES = 6;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const JSON_TYPE = { 'Content-Type': 'application/json' };

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

/** Runs every script; answers are compared with those of kube-apiserver, or written down as such. */
export async function runApiScripts(client: Client, report: Report, record: boolean): Promise<void> {
  const recorded: { check: string; request: string; answer: Answer }[] = [];
  const known = record ? new Map<string, Answer>() : readAnswers();
  await install(client);
  try {
    const all = Object.entries(themes).flatMap(([theme, scripts]) =>
      Object.entries(scripts).map(([title, script]) => ({ theme, title, script, checked: [] as Checked[] })),
    );
    const queue = [...all];
    const lane = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { title, script, checked } = next;
        await runScript(client, title, script, (one) => checked.push(one));
      }
    };
    // Each has a namespace of its own, so they do not see each other.
    await Promise.all(Array.from({ length: LANES }, lane));
    for (const { theme, checked } of all) {
      for (const { name, request, answer } of checked) {
        if (record) recorded.push({ check: name, request, answer });
        const details = record ? [] : judge(known.get(name), answer);
        const outcome = details.length === 0 ? 'passed' : 'failed';
        report({ suite: 'api', group: theme, name: `${name} · ${request}`, outcome, details });
      }
    }
  } finally {
    for (const definition of [WIDGET_CRD, GADGET_CRD]) await uninstall(client, definition);
  }
  if (record) writeAnswers(recorded);
}

const judge = (expected: Answer | undefined, got: Answer): string[] =>
  expected === undefined ? ['no answer is recorded for this request'] : differences({ ...expected }, { ...got });

type Definition = typeof WIDGET_CRD;

async function install(client: Client): Promise<void> {
  for (const definition of [WIDGET_CRD, GADGET_CRD]) {
    // One that is left of an interrupted run goes first.
    await uninstall(client, definition);
    await client.send({ method: 'POST', path: CRDS, headers: JSON_TYPE, body: JSON.stringify(definition) });
    const { group, names } = definition.spec;
    await waitFor(client, `/apis/${group}/v1/${names.plural}`, (status) => status === 200);
  }
  // Only what the document names can be applied: the server builds it a moment after it serves the kind.
  await waitFor(client, '/openapi/v3', (_status, text) => text.includes(WIDGET_CRD.spec.group));
}

/** Removes a definition, and what holds objects of its kind. */
async function uninstall(client: Client, { metadata, spec }: Definition): Promise<void> {
  const all = await client.send({ method: 'GET', path: `/apis/${spec.group}/v1/${spec.names.plural}` });
  const { items = [] } = (all.status === 200 ? JSON.parse(all.text) : {}) as {
    items?: { metadata: { name: string; namespace: string; finalizers?: string[] } }[];
  };
  for (const { name, namespace, finalizers } of items.map((item) => item.metadata)) {
    if (finalizers === undefined) continue;
    const path = `/apis/${spec.group}/v1/namespaces/${namespace}/${spec.names.plural}/${name}`;
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    await client.send({ method: 'PATCH', path, headers, body: '{"metadata":{"finalizers":null}}' });
  }
  const path = `${CRDS}/${metadata.name}`;
  await client.send({ method: 'DELETE', path });
  await waitFor(client, path, (status) => status === 404);
}

interface Checked {
  name: string;
  request: string;
  answer: Answer;
}

let runs = 0;

async function runScript(client: Client, title: string, script: Script, check: (checked: Checked) => void) {
  runs += 1;
  const namespace = `conf-${process.pid.toString(36)}${Date.now().toString(36).slice(-4)}-${runs}`;
  const values = new Map([['ns', namespace]]);
  const watches = new Map<string, OpenWatch>();
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await client.send({ method: 'POST', path: '/api/v1/namespaces', headers: JSON_TYPE, body });
  try {
    for (const [index, step] of script.entries()) {
      if (step.open !== undefined) {
        watches.set(step.open, await client.watch(sentOf(step, values)));
        continue;
      }
      const received = await perform(client, step, values, watches);
      const parsed = parseBody(received.text);
      learn(parsed, step.keep, values);
      const { status, warning, retryAfter } = received;
      const answer: Answer = {
        status,
        ...(warning === undefined ? {} : { warning }),
        ...(retryAfter === undefined ? {} : { retryAfter }),
        body:
          step.codeOnly === true ? null : comparable(parsed, { namespace, managedFields: step.managedFields === true }),
      };
      check({ name: `${title} ${index + 1}`, request: requestText(step), answer });
    }
  } finally {
    for (const watch of watches.values()) watch.close();
    await client.send({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  }
}

function requestText({ line, as, type }: Request): string {
  return `${line.slice(0, 200)}${type === undefined ? '' : ` ${type}`}${as === undefined ? '' : ` as ${as}`}`;
}

async function perform(
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
    if (step.until?.(received.status, parseBody(received.text)) !== false) break;
    received = await client.send(sent);
  }
  return received;
}

function sentOf({ line, body, type, accept, as, groups }: Request, values: Map<string, string>) {
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
function learn(body: unknown, keep: string | undefined, values: Map<string, string>): void {
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
