import http from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { practiceReply } from '@/lib/contracts/practice';
import { startPractice } from '../faults/testing';

let practice: Awaited<ReturnType<typeof startPractice>>;
let ask: typeof practice.ask;
beforeAll(async () => {
  practice = await startPractice();
  ask = practice.ask;
});
afterAll(() => practice.close());

it('lists faults with what they take, and says which are active, since when and until when', async () => {
  const started = await ask('POST', '/faults/api-slow', { params: { ms: 50, resource: 'none' }, seconds: 600 });
  expect(started).toMatchObject({ status: 201, body: { id: expect.any(String), params: { ms: 50, share: 1 } } });
  const { body } = await ask('GET', '/faults');
  expect(body.faults).toContainEqual(
    expect.objectContaining({
      name: 'api-slow',
      group: 'apiserver',
      params: expect.objectContaining({ properties: expect.objectContaining({ ms: expect.anything() }) }),
    }),
  );
  const [active] = body.active as { since: number; until: number }[];
  expect(active).toMatchObject({ name: 'api-slow' });
  expect((active?.until ?? 0) - (active?.since ?? 0)).toBe(600_000);
  expect(await ask('DELETE', `/faults/${started.body.id}`)).toMatchObject({ status: 200 });
  expect(await ask('DELETE', `/faults/${started.body.id}`)).toMatchObject({
    status: 404,
    body: { error: expect.stringMatching(/^No fault ".+" is active/) },
  });
});

it('ends a fault by itself, and all at once when asked', async () => {
  await ask('POST', '/faults/api-slow', { params: { ms: 1 }, seconds: 0.1 });
  await expect.poll(async () => (await ask('GET', '/faults')).body.active).toEqual([]);
  await ask('POST', '/faults/api-slow', { params: { ms: 1 } });
  await ask('POST', '/faults/node-slow-start', {});
  expect(practice.faults.active).toHaveLength(2);
  expect((await ask('DELETE', '/faults')).body).toEqual({ active: [] });
});

it('starts a scenario, tells how it stands, and ends it', async () => {
  expect(await ask('POST', '/scenarios/pod-deleted/start')).toMatchObject({ status: 202, body: { phase: 'starting' } });
  const phase = async () => {
    const { body } = await ask('GET', '/scenarios');
    return (body.scenarios as { name: string; phase: string }[]).find(({ name }) => name === 'pod-deleted')?.phase;
  };
  await expect.poll(phase, { timeout: 10_000 }).toBe('standing');
  expect(await ask('POST', '/scenarios/pod-deleted/start')).toMatchObject({
    status: 409,
    body: { error: 'Scenario pod-deleted is standing already.' },
  });
  expect(await ask('POST', '/scenarios/pod-deleted/end')).toMatchObject({ status: 200, body: { phase: 'off' } });
  expect((await ask('POST', '/scenarios/pod-deleted/end')).status).toBe(409);
});

it('answers what the console reads', async () => {
  const { body: scenarios } = await ask('GET', '/scenarios');
  const { body: faults } = await ask('GET', '/faults');
  const { success, data } = practiceReply.safeParse({ ...scenarios, ...faults });
  expect(success && data.scenarios.length).toBeGreaterThan(40);
});

it('ends a scenario that is still being brought about', async () => {
  await ask('POST', '/scenarios/recycle-one-too-many/start');
  expect(await ask('POST', '/scenarios/recycle-one-too-many/end')).toMatchObject({
    status: 200,
    body: { phase: 'off' },
  });
});

it('names what is wrong', async () => {
  const cases: [path: string, body: unknown, status: number, error: RegExp][] = [
    ['/faults/api-sloww', {}, 404, /There is no fault "api-sloww"\. There are: api-drop-watches, /],
    ['/scenarios/none/start', {}, 404, /There is no scenario "none"\. There are: resume-digest, /],
    ['/faults/api-slow', { params: { ms: 'much' } }, 400, /ms: /],
    ['/faults/api-slow', { params: { msec: 3 } }, 400, /msec/],
    ['/faults/api-slow', { seconds: -1 }, 400, /seconds: /],
    ['/faults/api-slow', { second: 1 }, 400, /second/],
    ['/faults/api-slow', '{', 400, /not JSON/],
    ['/nothing', {}, 404, /There is no POST \/nothing/],
  ];
  for (const [path, body, status, error] of cases) {
    const answer = await ask('POST', path, body);
    expect([path, answer.status, answer.body.error]).toEqual([path, status, expect.stringMatching(error)]);
  }
  expect(practice.faults.active).toEqual([]);
});

it('takes JSON from this machine only, and nothing from pages', async () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await ask('POST', '/faults/api-slow', 'a=b', form)).status).toBe(415);
  expect((await ask('DELETE', '/faults', undefined, { Origin: 'http://127.0.0.1:3000' })).status).toBe(403);
  const { url } = practice.control;
  const foreign = new Promise<number>((resolve) =>
    http.get(`${url}/faults`, { headers: { Host: 'elsewhere.example.org' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    }),
  );
  expect(await foreign).toBe(403);
});
