import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { ControlError, groups } from '../faults/fault';
import { faultKinds } from '../faults/index';
import { type Faults, wrongFields } from '../faults/registry';
import type { Scenarios } from '../scenarios/manager';

const bodyLimit = 64 * 1024;
const startBody = z.strictObject({ params: z.unknown().optional(), seconds: z.number().optional() });
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Where scenarios and faults are started and ended, for this machine alone. */
export interface ControlServer {
  url: string;
  close(): Promise<void>;
}

/** Starts the control door on the loopback address. Rejects with the system's error when the port is taken. */
export async function startControl(port: number, scenarios: Scenarios, faults: Faults): Promise<ControlServer> {
  const server = createServer((request, response) => {
    answer(request, scenarios, faults).then(
      ({ status = 200, body }) => send(response, status, body),
      (error: unknown) => {
        const known = error instanceof ControlError ? error : new ControlError(500, String(error));
        send(response, known.status, { error: known.message, ...known.more });
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  status?: number;
  body: unknown;
}

async function answer(request: IncomingMessage, scenarios: Scenarios, faults: Faults): Promise<Answer> {
  const { method = 'GET' } = request;
  refuseForeign(request);
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [room, name, verb, ...rest] = pathname.split('/').slice(1).map(decode);
  const is = (wanted: string, ...parts: (string | undefined)[]) =>
    method === wanted && rest.length === 0 && parts.every((part) => part !== undefined);
  if (room === 'scenarios') {
    if (is('GET') && name === undefined) return { body: { scenarios: scenarios.list() } };
    if (is('POST', name, verb) && verb === 'start') {
      scenarios.start(name ?? '');
      return { status: 202, body: { name, ...scenarios.state(name ?? '') } };
    }
    if (is('POST', name, verb) && verb === 'end') {
      if (await scenarios.end(name ?? '')) return { body: { name, ...scenarios.state(name ?? '') } };
      throw new ControlError(409, `Scenario ${name} is not running.`);
    }
  }
  if (room === 'faults' && verb === undefined) {
    if (is('GET') && name === undefined) return { body: listFaults(faults) };
    if (is('POST', name)) {
      const { params, seconds } = await readBody(request, name ?? '');
      return { status: 201, body: await faults.start(name ?? '', params, seconds) };
    }
    if (is('DELETE', name)) {
      if (await faults.end(name ?? '')) return { body: { id: name } };
      const active = faults.active.map(({ id }) => id);
      throw new ControlError(404, `No fault "${name}" is active. Active: ${active.join(', ') || 'none'}.`, { active });
    }
    if (is('DELETE') && name === undefined) {
      await faults.endAll();
      return { body: { active: [] } };
    }
  }
  throw new ControlError(404, `There is no ${method} ${pathname}. The door is described by --help.`);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ControlError(400, `The path is not properly escaped: ${part}`);
  }
}

/**
 * A page of another site may know this port: a name that was pointed at the loopback address is in its Host header, and a form
 * can only post as a form does.
 */
function refuseForeign({ headers, method }: IncomingMessage): void {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  if (!loopback.has(host)) throw new ControlError(403, `Only this machine may ask, not as "${host}".`);
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (method === 'POST' && type !== 'application/json') {
    throw new ControlError(415, 'Send JSON, with Content-Type: application/json.');
  }
  if (headers.origin !== undefined) throw new ControlError(403, 'Pages of a browser may not ask.');
}

async function readBody(request: IncomingMessage, name: string): Promise<z.infer<typeof startBody>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > bodyLimit) throw new ControlError(413, `A body has at most ${bodyLimit} bytes.`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8').trim();
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new ControlError(400, 'The body is not JSON.');
  }
  const parsed = startBody.safeParse(value);
  if (!parsed.success) throw wrongFields(`fault ${name}`, parsed.error);
  return parsed.data;
}

function listFaults(faults: Faults) {
  const known = Object.entries(faultKinds).map(
    ([name, { title, group, does, ends, params, needsDoor, needsManager }]) => ({
      name,
      title,
      group,
      groupTitle: groups[group],
      does,
      ends,
      params: z.toJSONSchema(params, { io: 'input' }),
      possible:
        (needsDoor !== true || faults.targets.door !== undefined) &&
        (needsManager !== true || faults.targets.e2b !== undefined),
    }),
  );
  return { time: Date.now(), faults: known, active: faults.active };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
