import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Door, startDoor, TOKEN } from '../testing';
import { type Call, call, Frames } from './call';
import { type Exchange, type Frame, readExchanges } from './exchange';

let door: Door;
beforeAll(async () => {
  door = await startDoor();
}, 60_000);
afterAll(() => door.close());

/** What another run, or another machine, says otherwise. */
function neutral(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((item) => neutral(item, path));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key === 'pid') return [key, 'a pid'];
      if (key === 'modifiedTime') return [key, 'a time'];
      // Folders have the size that their disk gives them.
      if (key === 'size' && 'type' in value && value.type === 'FILE_TYPE_DIRECTORY') return [key, 'a size'];
      if (key === 'message' && typeof item === 'string') return [key, item.replace(/pid \d+/, 'pid N')];
      return [key, neutral(item, path)];
    }),
  );
}

const framesUntil = (frames: readonly Frame[], dt: number): Frames => {
  const seen = new Frames();
  for (const frame of frames) if (frame.dt <= dt) seen.take(frame.flags, frame.json);
  return seen;
};

/** Until an answer has come as far as it had when it was recorded: output may come in other pieces. */
async function cameAsFar(ours: Call, recorded: Exchange, t: number): Promise<void> {
  const then = framesUntil(recorded.frames ?? [], t - recorded.t);
  await vi.waitFor(
    () => {
      for (const [name, bytes] of Object.entries(then.output)) {
        expect(ours.frames.output[name]?.length ?? 0).toBeGreaterThanOrEqual(bytes.length);
      }
      expect(ours.frames.ended || !then.ended).toBe(true);
      expect(ours.frames.pid !== undefined || then.pid === undefined).toBe(true);
    },
    { timeout: 60_000, interval: 10 },
  );
}

const kinds = (frames: readonly { flags: number; json: unknown }[]) =>
  frames
    .filter(({ json }) => !JSON.stringify(json).includes('"data"'))
    .map(({ flags, json }) => ({ flags, json: neutral(json, '') }));

/** Programs that name processes by their numbers, which are others here; what is there is compared. */
const withoutPids = (text: string) => text.replace(/^\d+ /gm, 'PID ').replace(/^PID \[sleep\] <defunct>\n/m, '');

async function compare(ours: Call, recorded: Exchange): Promise<void> {
  // The client hung up just before the deadline of its command; what the runtime says then is not in the recording.
  const isLate =
    recorded.until - recorded.t >= Number(recorded.headers['connect-timeout-ms'] ?? Number.POSITIVE_INFINITY);
  if (recorded.ended === 'client closed' && !isLate) ours.hangUp();
  const { status, headers, body } = await ours.answered;
  expect(status).toBe(recorded.status);
  expect(headers).toMatchObject(recorded.answerHeaders);
  if (recorded.frames === undefined) {
    if (recorded.answerBase64 !== undefined) expect(body.toString('base64')).toBe(recorded.answerBase64);
    else if (typeof recorded.answer === 'string') expect(body.toString('utf8')).toBe(recorded.answer);
    else if (recorded.answer !== undefined)
      expect(neutral(JSON.parse(body.toString('utf8')), '')).toEqual(neutral(recorded.answer, ''));
    return;
  }
  const expected = framesUntil(recorded.frames, Number.POSITIVE_INFINITY);
  expect(kinds(recorded.ended && isLate ? ours.frames.all.slice(0, -1) : ours.frames.all)).toEqual(
    kinds(recorded.frames),
  );
  if (recorded.bytes !== undefined) {
    expect(ours.frames.output.stdout?.length).toBe(recorded.bytes);
    return;
  }
  for (const name of ['stdout', 'stderr']) {
    const text = (frames: Frames) => withoutPids(frames.output[name]?.toString('latin1') ?? '');
    expect(text(ours.frames)).toBe(text(expected));
  }
}

/** Asks one runtime all that was recorded, each after what had come by then; checks each answer. */
async function replay(pod: string, exchanges: readonly Exchange[]): Promise<void> {
  const open: { recorded: Exchange; ours: Call }[] = [];
  /** Processes have other numbers here. */
  const pids = new Map<unknown, number>();
  const replaced = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (key, item) =>
      key === 'pid' ? (pids.get(item) ?? item) : item === 'REDACTED-2' ? TOKEN : item,
    );
  const advance = async (t: number) => {
    for (const { recorded, ours } of [...open]) {
      await cameAsFar(ours, recorded, t);
      const then = framesUntil(recorded.frames ?? [], t - recorded.t);
      if (then.pid !== undefined && ours.frames.pid !== undefined) pids.set(then.pid, ours.frames.pid);
      if (recorded.until > t) continue;
      open.splice(
        open.findIndex((entry) => entry.ours === ours),
        1,
      );
      await compare(ours, recorded);
    }
  };
  for (const recorded of exchanges) {
    await advance(recorded.t);
    open.push({ recorded, ours: call(door.url, pod, recorded, replaced) });
  }
  await advance(Number.POSITIVE_INFINITY);
}

/** No terminals here, and less is known of a watched folder: see the tests of both. */
const isOtherwise = ({ path, message, body }: Exchange) =>
  path.endsWith('/WatchDir') || JSON.stringify([message, body]).includes('"pty"');

describe.concurrent('the runtime answers as recorded', () => {
  it.each([
    ['runtime-init', {}, undefined],
    ['files', {}, TOKEN],
    ['commands', { FROM_CREATE: 'c' }, TOKEN],
    ['keepalive', {}, TOKEN],
    ['task-warm', { GREETING: 'hello' }, TOKEN],
  ])('%s', { timeout: 120_000 }, async (name, env, token) => {
    door.runtimes.init(name, { token, env });
    await replay(
      name,
      readExchanges(name).filter((exchange) => !isOtherwise(exchange)),
    );
  });
});
