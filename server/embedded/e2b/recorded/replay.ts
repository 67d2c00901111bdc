import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { podSchema } from '../../controllers/client/objects';
import { objectPath, resources } from '../../controllers/client/resources';
import { send, type startE2bTests, staysOpen } from '../testing';
import { expectAnswer, Names } from './compare';
import { type Exchange, readExchanges } from './exchange';

type Tests = Awaited<ReturnType<typeof startE2bTests>>;

/**
 * Does everything that was recorded, in its order, and expects the recorded answers.
 * @param key in the place of the admin's
 * @param oneASecond whether the order of creates matters, of which only the second is kept
 */
export async function replay(tests: Tests, name: string, key: string, oneASecond = false): Promise<void> {
  const { startMs, steps } = readExchanges(name);
  const names = new Names();
  names.learn('REDACTED-1', key);
  const streams: Promise<{ cut: boolean }>[] = [];
  let latest = '';
  for (const step of steps) {
    if ('note' in step) {
      await act(tests, step.note, latest);
      continue;
    }
    const url = (step.to === 'manager' ? tests.e2b.url : tests.e2b.gatewayUrl) + names.of(step.path);
    const sent = { method: step.method, headers: headersOf(step, names), body: bodyOf(step, names) };
    if (step.ended !== undefined) {
      const headers = { ...sent.headers, [staysOpen]: 'yes' };
      await new Promise<void>((resolve) => streams.push(send(url, { ...sent, headers, onStart: resolve })));
      continue;
    }
    if (oneASecond && step.status === 201) await sleep(1000 - (Date.now() % 1000));
    const answer = await send(url, sent);
    const what = `${name} ${step.t} ${step.method} ${step.path}`;
    expect([what, answer.status]).toEqual([what, step.status]);
    expectHeaders(answer.headers, step.answerHeaders, names);
    const ours = bodyIn(answer.text);
    if (step.answer !== undefined)
      expectAnswer(ours, step.answer, names, { recordedMs: startMs + step.t, nowMs: Date.now() });
    if (step.status === 201 && typeof ours === 'object' && ours !== null && 'sandboxID' in ours)
      latest = String(ours.sandboxID);
  }
  for (const { cut } of await Promise.all(streams)) expect(cut).toBe(true);
}

function headersOf({ headers }: Exchange, names: Names): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, names.of(value)]));
}

function bodyOf({ body }: Exchange, names: Names): string | undefined {
  if (body === undefined) return undefined;
  // A busy machine would not be done with the rest within a second.
  const text = typeof body === 'string' ? body : JSON.stringify(body).replace('"timeout":1}', '"timeout":25}');
  return names.of(text);
}

function bodyIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const generated = new Set(['x-request-id', 'x-next-token', 'x-envoy-upstream-service-time']);

/** Headers that say something, the same; of those with generated values, whether they are there. What the runtime adds is its own. */
function expectHeaders(ours: NodeJS.Dict<string | string[]>, recorded: Record<string, string>, names: Names): void {
  const ofRuntime = 'x-envoy-upstream-service-time' in recorded;
  const compared = ['allow', 'content-type', 'x-content-type-options', 'server', ...generated].filter(
    (name) => !(ofRuntime && (name === 'content-type' || name === 'x-content-type-options')),
  );
  const shape = (headers: NodeJS.Dict<string | string[]>) =>
    Object.fromEntries(
      compared.map((name) => [name, generated.has(name) ? headers[name] !== undefined : headers[name]?.toString()]),
    );
  expect(shape(ours)).toEqual(shape(recorded));
  const token = ours['x-next-token'];
  if (recorded['x-next-token'] !== undefined && typeof token === 'string') names.learn(recorded['x-next-token'], token);
}

/** What was done to the cluster while the client was not asking. */
async function act({ api, cluster, e2b }: Tests, note: string, id: string): Promise<void> {
  const [namespace = '', name = ''] = id.split('--');
  const pod = { metadata: { namespace, name } };
  if (note.startsWith('runtime process')) {
    const { uid } = podSchema.parse(await api.get(objectPath(resources.pods, pod))).metadata;
    await e2b.door.runtimes.killRuntime(uid);
  } else if (note.startsWith('Pod deleted')) {
    await api.remove(objectPath(resources.pods, pod));
    const failed = () => cluster.sandboxes.get(`${namespace}/${name}`)?.status?.phase === 'Failed';
    await vi.waitUntil(failed, { timeout: 10_000 });
  } else throw new Error(`nobody knows how to do this: ${note}`);
}
