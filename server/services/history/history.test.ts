import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { durationsReply, sandboxHistoryReply } from '@/lib/contracts/history';
import type { Scope } from '../../access/scope';
import { type History, makeHistory } from '../../history/database';
import { Recorder } from '../../history/stays/recorder';
import { start, TestWatch } from '../../history/stays/watch.testing';
import type { HistoryContext } from './history-context';
import { readDurations } from './read-durations';
import { readPhases } from './read-phases';
import { readSandboxHistory } from './read-sandbox-history';

let dir: string;
let watch: TestWatch;
let history: History;
let recorder: Recorder;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'history-'));
  watch = new TestWatch();
  begin(dir);
});
afterEach(async () => {
  recorder.abandon();
  await history.close();
  rmSync(dir, { recursive: true, force: true });
});

function begin(where: string | undefined): void {
  const now = () => watch.now;
  history = makeHistory(where, now);
  const view = watch.view();
  recorder = new Recorder(view, history, { keepDays: 14, keepRows: 1_000, mostWaiting: 3 }, now);
  view.list();
}

const everything: Scope = { maySee: () => true };
const only = (...namespaces: string[]): Scope => ({
  maySee: (_kind, namespace) => namespace !== undefined && namespaces.includes(namespace),
});

function context(scope = everything): HistoryContext {
  const phases = { sample: () => undefined, read: async () => ({ since: 0, stepSeconds: 15, samples: [] }) };
  return { history, recorder, phases, scope, known: ['lab', 'other'], now: () => watch.now };
}

async function told(uid: string, scope = everything, namespace = 'lab') {
  const answer = await readSandboxHistory(context(scope), { namespace, uid }, 'vera');
  return answer.ok ? sandboxHistoryReply.parse(answer.value) : answer.problem;
}

describe('what a sandbox did', () => {
  it('is told from its creation to now, stored or not yet', async () => {
    watch.set('a', { state: 'Creating', since: start, sinceFrom: 'created', gate: 'TakenUp' });
    watch.now += 2_000;
    watch.enter('a', 'Available', { node: 'n1', hash: 'r1' });
    await recorder.flush();
    watch.now += 3_000;
    watch.enter('a', 'Running');
    expect(await told('a')).toEqual({
      time: start + 5_000,
      store: { state: 'ok', keepDays: 14, keepRows: 1_000 },
      since: start,
      stays: [
        { state: 'Creating', gate: 'TakenUp', from: start, fromSource: 'created', to: start + 2_000 },
        {
          state: 'Available',
          from: start + 2_000,
          fromSource: 'condition',
          to: start + 5_000,
          node: 'n1',
          revision: 'r1',
        },
        { state: 'Running', from: start + 5_000, fromSource: 'condition', node: 'n1', revision: 'r1' },
      ],
      gaps: [],
    });
    watch.remove('a');
    watch.now += 1_000;
    await recorder.flush();
    expect(await told('a')).toMatchObject({ stays: [{}, {}, { state: 'Running', to: start + 5_000 }] });
  });

  it('is told with torn edges and gaps', async () => {
    watch.set('a', { state: 'Failed' });
    await recorder.stop();
    await history.close();
    watch.now += 60_000;
    begin(dir);
    watch.now += 60_000;
    await recorder.flush();
    expect(await told('a')).toMatchObject({
      since: start,
      stays: [
        { state: 'Failed', from: start, fromSource: 'observed', torn: true, seenUntil: start },
        { state: 'Failed', fromSource: 'unknown' },
      ],
      gaps: [{ from: start, to: start + 60_000 }],
    });
  });

  it('does not show as open, before this process records, what was open when another one fell silent', async () => {
    watch.set('a', { state: 'Failed' });
    await recorder.flush();
    recorder.abandon();
    await history.close();
    watch.now += 60_000;
    begin(dir);
    expect(recorder.leads).toBe(false);
    expect(await told('a')).toMatchObject({
      stays: [
        { state: 'Failed', torn: true, seenUntil: start },
        { state: 'Failed', fromSource: 'unknown' },
      ],
    });
  });

  it('names what nobody watched beside the counts over time, as far back as was asked', async () => {
    watch.set('a', { state: 'Failed' });
    await recorder.stop();
    await history.close();
    watch.now += 60_000;
    begin(dir);
    watch.now += 60_000;
    await recorder.flush();
    const gapsIn = async (minutes: number) => {
      const answer = await readPhases(context(), { minutes });
      return answer.ok ? answer.value.gaps : undefined;
    };
    expect(await gapsIn(60)).toEqual([{ from: start, to: start + 60_000 }]);
    watch.now += 60_000;
    expect(await gapsIn(1)).toEqual([]);
  });

  it('is for those who may see the sandboxes of its namespace', async () => {
    watch.enter('a', 'Running');
    await recorder.flush();
    expect(await told('a', only('other'))).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('lab'),
    });
    expect(await told('a', only('other'), 'other')).toMatchObject({ stays: [] });
    expect(await told('a', { maySee: () => false, isUnchecked: () => true })).toMatchObject({
      code: 'upstream_unavailable',
      reason: 'accessUnchecked',
    });
    expect(await told('a', only('lab'))).toMatchObject({ stays: [{ state: 'Running' }] });
  });

  it('is what is in memory without a database, the latest of it', async () => {
    recorder.abandon();
    begin(undefined);
    for (const state of ['Creating', 'Available', 'Running', 'Paused', 'Running'] as const) {
      watch.now += 1_000;
      watch.enter('a', state);
    }
    const answer = await told('a');
    expect(answer).toMatchObject({ store: { state: 'off' }, since: start });
    const states = 'stays' in answer ? answer.stays.map(({ state }) => state) : [];
    expect(states).toEqual(['Available', 'Running', 'Paused', 'Running']);
  });
});

describe('durations', () => {
  const figures = async (scope: Scope, over: object = {}) => {
    const answer = await readDurations(context(scope), { by: 'none', ...over });
    return answer.ok ? durationsReply.parse(answer.value) : undefined;
  };

  it('are of namespaces whose sandboxes the person may see, of the last day', async () => {
    for (const [uid, ns, ms] of [
      ['a', 'lab', 1_000],
      ['b', 'other', 5_000],
    ] as const) {
      watch.set(uid, { ns, state: 'Resuming', since: watch.now, sinceFrom: 'condition' });
      watch.now += ms;
      watch.enter(uid, 'Running');
    }
    await recorder.flush();
    watch.now += 1_000;
    const counted = async (scope: Scope, over = {}) => (await figures(scope, over))?.figures.map(({ max }) => max);
    expect(await counted(everything)).toEqual([5_000]);
    expect(await counted(only('lab'))).toEqual([1_000]);
    expect(await counted(only('lab'), { namespaces: ['other'] })).toEqual([]);
    expect(await counted(everything, { namespaces: ['other'] })).toEqual([5_000]);
    expect(await figures(everything)).toMatchObject({
      from: watch.now - 86_400_000,
      to: watch.now,
      store: { state: 'ok' },
    });
  });

  it('say of which time they are, also those that others have just asked for', async () => {
    const asked = await figures(everything);
    const then = watch.now;
    watch.now += 7_000;
    expect(await figures(everything)).toEqual({ ...asked, time: then + 7_000 });
    expect(asked).toMatchObject({ from: then - 86_400_000, to: then });
  });

  it('are none, and the reason is told, while the database is away', async () => {
    await history.close();
    recorder.abandon();
    begin(undefined);
    expect(await figures(everything)).toMatchObject({ figures: [], store: { state: 'off' } });
  });
});

describe('while nobody can say what the person may see', () => {
  const unchecked = (...open: string[]): Scope => ({
    maySee: (_kind, namespace) => namespace === 'lab',
    isUnchecked: (_kind, namespace) => namespace !== undefined && open.includes(namespace),
  });
  const refused = { ok: false, problem: { code: 'upstream_unavailable', reason: 'accessUnchecked' } };
  const answers = (scope: Scope, over: { namespaces?: string[]; pool?: { ns: string; name: string } } = {}) =>
    Promise.all([
      readDurations(context(scope), { by: 'none', ...over }),
      readPhases(context(scope), { minutes: 60, ...over }),
    ]);

  it('durations and counts are refused, not called none', async () => {
    for (const answer of await answers(unchecked('other'))) {
      expect(answer).toMatchObject({ ...refused, problem: { values: { namespace: 'other' } } });
    }
    for (const answer of await answers(unchecked('other'), { namespaces: ['lab', 'other'] })) {
      expect(answer).toMatchObject(refused);
    }
    for (const answer of await answers(unchecked('other'), { pool: { ns: 'other', name: 'web' } })) {
      expect(answer).toMatchObject(refused);
    }
  });

  it('they are told of what was asked for and is known, and where the answer is no', async () => {
    const told = [
      ...(await answers(unchecked('other'), { namespaces: ['lab'] })),
      ...(await answers(unchecked('other'), { pool: { ns: 'lab', name: 'web' } })),
      ...(await answers(unchecked())),
    ];
    for (const answer of told) expect(answer).toMatchObject({ ok: true });
  });
});
