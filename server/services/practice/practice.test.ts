import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { makeAudit } from '@/server/history/audit';
import { log } from '@/server/log';
import type { ServiceContext } from '../context';
import { changePractice } from './change-practice';
import { readPractice } from './read-practice';

let server: Server;
let asked: { line: string; type: string | undefined; body: string }[];
let running: boolean;

const item = { title: 'A pool', group: 'pool', groupTitle: 'Pools run dry', does: 'It runs dry.' };

/** A control door with one scenario and one fault. */
beforeEach(async () => {
  asked = [];
  running = false;
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const line = `${request.method} ${request.url}`;
    asked.push({ line, type: request.headers['content-type'], body });
    const answer = (status: number, value: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (line === 'GET /scenarios') {
      const phase = running ? 'standing' : 'off';
      return answer(200, {
        scenarios: [{ ...item, name: 'pool-quota', namespace: 'trap-55', wide: false, phase, traps: [] }],
      });
    }
    if (line === 'GET /faults') {
      const faults = [{ ...item, name: 'api-slow', ends: 'Nothing.', possible: true, params: { properties: {} } }];
      return answer(200, { time: 1, faults, active: [{ id: 'f1', name: 'api-slow', params: {}, since: 5 }] });
    }
    if (body.includes('"ms":0')) {
      return answer(400, { error: 'ms: too small', fields: [{ field: 'ms', message: 'too small' }] });
    }
    if (line.includes('stuck')) return answer(503, { error: 'Still active: node-down.' });
    if (line.includes('unknown')) return answer(404, { error: 'There is no fault "unknown".' });
    if (line.endsWith('/start')) running = true;
    if (line.endsWith('/end')) running = false;
    answer(200, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('CONSOLE_EMBEDDED', '1');
  vi.stubEnv('CONSOLE_PRACTICE_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  server.close();
  server.closeAllConnections();
});

const context = (): ServiceContext => ({
  cluster: {} as ServiceContext['cluster'],
  principal: { subject: 'mara', groups: [], impersonate: false },
  requestId: 'r-1',
  audit: makeAudit(log),
  now: () => 1,
});
const change = (input: Parameters<typeof changePractice>[1]) => changePractice(context(), input);
const writes = () =>
  asked.filter(({ line }) => !line.startsWith('GET')).map(({ line, body }) => `${line} ${body}`.trim());

it('tells what there is and what runs', async () => {
  expect(await readPractice()).toEqual({
    ok: true,
    value: {
      scenarios: [{ ...item, name: 'pool-quota', namespace: 'trap-55', wide: false, phase: 'off' }],
      faults: [{ ...item, name: 'api-slow', ends: 'Nothing.', possible: true, params: { properties: {} } }],
      active: [{ id: 'f1', name: 'api-slow', params: {}, since: 5 }],
    },
  });
});

it('starts and ends by JSON, answers how it stands then, and leaves the two lines of a write', async () => {
  const info = vi.spyOn(log, 'info');
  const started = await change({ do: 'startScenario', name: 'pool-quota' });
  expect(started).toMatchObject({ ok: true, value: { scenarios: [{ phase: 'standing' }] } });
  await change({ do: 'startFault', name: 'api-slow', params: { ms: 50 }, seconds: 60 });
  await change({ do: 'startFault', name: 'api-slow' });
  await change({ do: 'endFault', id: 'f1' });
  expect(writes()).toEqual([
    'POST /scenarios/pool-quota/start {}',
    'POST /faults/api-slow {"params":{"ms":50},"seconds":60}',
    'POST /faults/api-slow {}',
    'DELETE /faults/f1',
  ]);
  expect(asked.find(({ line }) => line.startsWith('POST'))?.type).toBe('application/json');
  const lines = info.mock.calls.map(([line]) => z.looseObject({ key: z.string() }).parse(line));
  expect(lines.slice(0, 2)).toMatchObject([
    { key: 'audit.intent', action: 'startScenario', actor: 'mara', summary: 'pool-quota' },
    { key: 'audit.outcome', action: 'startScenario', result: 'accepted' },
  ]);
});

it('ends all: faults first, then the scenarios that run', async () => {
  await change({ do: 'startScenario', name: 'pool-quota' });
  asked = [];
  expect(await change({ do: 'endAll' })).toMatchObject({ ok: true, value: { scenarios: [{ phase: 'off' }] } });
  expect(writes()).toEqual(['DELETE /faults', 'POST /scenarios/pool-quota/end {}']);
});

it('names the fields that the door refuses', async () => {
  expect(await change({ do: 'startFault', name: 'api-slow', params: { ms: 0 } })).toMatchObject({
    ok: false,
    problem: { status: 422, applied: 'no', fields: [{ field: 'ms', message: 'too small' }] },
  });
});

it('passes on why the door refuses, and says when it does not answer', async () => {
  expect(await change({ do: 'startFault', name: 'unknown' })).toMatchObject({
    ok: false,
    problem: {
      status: 404,
      reason: 'practiceRefused',
      message: expect.stringContaining('There is no fault "unknown".'),
    },
  });
  // What failed in the middle may have been done in part.
  expect(await change({ do: 'endFault', id: 'stuck' })).toMatchObject({
    ok: false,
    problem: {
      status: 503,
      reason: 'practiceRefused',
      applied: 'unknown',
      message: expect.stringContaining('node-down'),
    },
  });
  expect(await change({ do: 'endFault', id: 'unknown' })).toMatchObject({ ok: false, problem: { applied: 'no' } });
  vi.stubEnv('CONSOLE_PRACTICE_URL', 'http://127.0.0.1:1');
  expect(await readPractice()).toMatchObject({ ok: false, problem: { status: 503, reason: 'practiceAway' } });
});

it('does not exist on another cluster, whatever is set', async () => {
  vi.stubEnv('CONSOLE_EMBEDDED', '0');
  expect(await readPractice()).toMatchObject({ ok: false, problem: { status: 404, reason: 'noPractice' } });
  expect(await change({ do: 'endAll' })).toMatchObject({ ok: false, problem: { status: 404 } });
  expect(asked).toEqual([]);
});

it('is empty on an embedded cluster without a control door', async () => {
  vi.stubEnv('CONSOLE_PRACTICE_URL', '');
  expect(await readPractice()).toEqual({ ok: true, value: { scenarios: [], faults: [], active: [] } });
  expect(await change({ do: 'endAll' })).toMatchObject({ ok: false, problem: { status: 404, reason: 'noPractice' } });
});
