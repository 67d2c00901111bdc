import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { PodDigest } from '@/lib/domain/facts';
import { digestPod } from '../../kube/rows';
import { type Moment, replay } from '../../kube/rows/replay.testing';
import { readRecording } from '../../testing/play';
import { onBothDatabases } from '../testing';
import { Recorder } from './recorder';
import { type StoredStay, staysOfSandbox } from './store';
import { TestWatch } from './watch.testing';

const names = readdirSync(path.resolve(import.meta.dirname, '../../testing/recordings'))
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.slice(0, -'.jsonl'.length));

/** A sandbox as it was seen at a time; without a row, it was gone. */
interface Seen {
  now: number;
  uid: string;
  row: SandboxRow | undefined;
}

onBothDatabases((database, kind) => {
  /** Plays a recording to a recorder. @param downOf between which two moments no console runs */
  async function recorded(name: string, downOf: (all: readonly Seen[]) => [number, number] = () => [-1, -1]) {
    const watch = new TestWatch();
    const { start } = readRecording(name);
    watch.now = start;
    const history = database.open(() => watch.now);
    const limits = { keepDays: 14, keepRows: 1_000_000, mostWaiting: 10_000 };
    const begin = () => {
      const view = watch.view();
      const recorder = new Recorder(view, history, limits, () => watch.now);
      view.list();
      return { view, recorder };
    };
    const pods = podsOf(name);
    const moments: Seen[] = [];
    replay(name, ({ now, touched }: Moment) => {
      const row = touched?.row;
      const uid = (row ?? touched?.before)?.uid;
      if (uid) moments.push({ now, uid, row });
    });
    const [goes, comes] = downOf(moments);
    let console = begin();
    for (const [i, { now, uid, row }] of moments.entries()) {
      if (i === goes) {
        await console.recorder.stop();
        console.view.break();
      }
      if (i === comes) console = begin();
      watch.now = Math.max(watch.now, now);
      if (row) watch.set(uid, { ...cleared, ...row } as SandboxRow, pods(row, now));
      else watch.remove(uid);
    }
    await console.recorder.flush();
    console.recorder.abandon();
    const stays = async (sandbox: string) => {
      const row = moments.find((each) => each.row?.name === sandbox)?.row;
      return history.read((db) => staysOfSandbox(db, row?.ns ?? '', row?.uid ?? '', 1_000));
    };
    return { start, moments, stays };
  }

  it.each(kind === 'file' ? names : names.slice(0, 3))('tells what happened in %s', async (name) => {
    const { moments, stays } = await recorded(name);
    for (const sandbox of new Set(moments.flatMap(({ row }) => row?.name ?? []))) {
      const told = await stays(sandbox);
      expectWhole(told);
      expect(told.map(({ state }) => state)).toEqual(expect.arrayContaining(statesSeen(moments, sandbox)));
      expect(withoutRepeats(told.map(({ state }) => state))).toEqual(statesSeen(moments, sandbox));
      expect(told.every(({ begun_from }) => begun_from !== 'unknown')).toBe(true);
    }
  });

  it('times the stuck resume by its conditions and by its Pod', async () => {
    const { stays, moments } = await recorded('resume-stuck-digest-init-container');
    const stuck = moments.find(({ row }) => row?.cause?.never)?.row?.name ?? '';
    const resuming = (await stays(stuck)).filter(({ state }) => state === 'Resuming');
    expect(resuming[0]).toMatchObject({ begun_from: 'condition', gate: 'PodRunning' });
    // Deleting the Pod brought it to the same gate again; a template that helps, past it.
    const held = resuming.filter(({ gate }) => gate === 'InitImages');
    expect(held.map(({ cause }) => cause)).toEqual(['InitImageMismatch', 'InitImageMismatch']);
    expect(held[1]?.begun_from).toBe('condition');
    expect(held[0]?.ms).toBeGreaterThan(95_000);
    expect(resuming.at(-1)).toMatchObject({ gate: 'Written', state_ms: expect.any(Number) });
    expect(resuming.at(-1)?.state_ms).toBeGreaterThan(130_000);
  });

  it('does not invent what happened while the console was down', async () => {
    const { start, stays, moments } = await recorded('pause-resume-stop', (all) => {
      const name = all[0]?.row?.name;
      const first = (state: string) => all.findIndex(({ row }) => row?.name === name && row?.state === state);
      // From just before the pause to just after the resume has begun.
      return [first('Pausing'), first('Resuming') + 1];
    });
    const told = await stays(moments[0]?.row?.name ?? '');
    const states = withoutRepeats(told.map(({ state }) => state));
    expect(states).toEqual([
      'Creating',
      'Available',
      'Running',
      'Resuming',
      'Initialising',
      'Running',
      'Pausing',
      'Terminating',
    ]);
    const torn = told.filter((stay) => stay.torn === 1);
    expect(torn).toMatchObject([{ state: 'Running', ms: -1, state_ms: -1 }]);
    const resuming = told.filter(({ state }) => state === 'Resuming');
    expect(resuming[0]).toMatchObject({ state_begun: expect.any(Number) });
    expect(torn[0]?.ended).toBeLessThan(resuming[0]?.state_begun ?? 0);
    expect(resuming[0]?.seen).toBeGreaterThan(start);
  });
});

/** What a row does not say is not as it was before. */
const cleared = { gate: undefined, stage: undefined, cause: undefined, node: undefined };

/** The Pod of a row's name as it was at a time. */
function podsOf(name: string): (row: SandboxRow, now: number) => PodDigest | undefined {
  const { start, events } = readRecording(name);
  const pods = events.filter(({ kind }) => kind === 'pods');
  return (row, now) => {
    const last = pods.findLast(({ t, object }) => object.metadata.name === row.name && start + t * 1_000 <= now);
    const pod = last && last.type !== 'DELETED' ? digestPod(last.object) : undefined;
    return pod && (pod.ownerUid === undefined || pod.ownerUid === row.uid) ? pod : undefined;
  };
}

function statesSeen(moments: readonly { row: SandboxRow | undefined }[], sandbox: string): string[] {
  return withoutRepeats(moments.flatMap(({ row }) => (row?.name === sandbox ? [row.state] : [])));
}

const withoutRepeats = (all: readonly string[]) => all.filter((each, i) => each !== all[i - 1]);

/** Stays follow each other without a hole and without an overlap, and what they took adds up. */
function expectWhole(stays: readonly StoredStay[]): void {
  for (const [i, stay] of stays.entries()) {
    const next = stays[i + 1];
    if (next) expect(next.begun).toBe(stay.ended);
    if (stay.ended !== null) expect(stay.ms).toBe(stay.ended - (stay.begun ?? Number.NaN));
    if (stay.state_ms === null) continue;
    const pieces = stays.filter(
      ({ state_begun, state, seen }) => state === stay.state && state_begun === stay.state_begun && seen <= stay.seen,
    );
    expect(pieces.reduce((sum, { ms }) => sum + (ms ?? 0), 0)).toBe(stay.state_ms);
  }
}
