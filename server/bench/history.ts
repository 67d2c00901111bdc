import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import type { DurationGroup } from '@/lib/contracts/history';
import { cacheDir } from '../bin/lib/paths.mjs';
import { withProgress } from '../bin/lib/report.mjs';
import { type History, makeHistory } from '../history/database';
import { durationsOf } from '../history/durations';
import { saveStays, staysOfSandbox } from '../history/stays/store';
import { noPostgres, startPostgres } from '../testing/postgres';
import { type Figure, figure, growth, unmeasured } from './figures';
import { podOf, timeOf } from './history-traffic';
import { cpuSeconds, noStats, residentMb } from './process-stats';
import { startProgram } from './program';
import { argumentOf, say } from './programs/program-io';

const sandboxes = 5_000;
const awayMs = 5_000;
const manyStays = 1_000_000;
const sampleMs = 1_000;

const said = z.object({ first: z.number(), done: z.number(), delayP99: z.number(), delayMax: z.number() });

interface Run {
  /** Changes from the first to before the second are stored, as it has said. */
  from: number;
  stored: number;
}

/** The history of sandboxes under load, on a file and on PostgreSQL; the process is killed in the middle, and starts again. */
async function measureHistory(rate: number, seconds: number): Promise<Figure[]> {
  const dir = join(cacheDir, 'bench-history');
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const onFile = await measureOn('history on a file', dir, rate, seconds);
  const weight = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0) / 1e6;
  const figures = [...onFile, figure(`history on a file, size with ${manyStays} stays`, 'MB', weight)];
  rmSync(dir, { recursive: true, force: true });
  if (noPostgres !== undefined) return [...figures, unmeasured('history on PostgreSQL', '', noPostgres)];
  const server = await startPostgres();
  try {
    return [...figures, ...(await measureOn('history on PostgreSQL', await server.empty(), rate, seconds))];
  } finally {
    await server.stop();
  }
}

async function measureOn(name: string, where: string, rate: number, seconds: number): Promise<Figure[]> {
  const begun = Date.now();
  const half = (seconds * 1_000 - awayMs) / 2;
  const first = await withProgress(`${name}: until it is killed`, () => run(where, begun, rate, half, true));
  await sleep(awayMs);
  const second = await withProgress(`${name}: after its restart`, () => run(where, begun, rate, half, false));
  const history = makeHistory(where, Date.now, { readMs: 60_000 });
  const check = await withProgress(`${name}: what is there`, () =>
    counted(history, begun, rate, [first.run, second.run]),
  );
  const asked = await withProgress(`${name}: questions`, () => questions(name, history, begun));
  await history.close();
  return [
    figure(`${name}, changes a second`, '/s', rate),
    figure(`${name}, changes acknowledged`, '', check.acknowledged),
    figure(`${name}, acknowledged and not there`, '', check.acknowledged - check.found, { budget: 0 }),
    figure(`${name}, there twice`, '', check.twice, { budget: 0 }),
    figure(`${name}, CPU of one core`, '%', second.busy, { why: noStats }),
    figure(`${name}, resident`, 'MB', second.resident.at(-1), { why: noStats }),
    figure(`${name}, growth`, 'MB', growth(second.resident), { why: noStats }),
    figure(`${name}, delay of other work, p99`, 'ms', second.delayP99),
    figure(`${name}, delay of other work, longest`, 'ms', second.delayMax),
    ...asked,
  ];
}

async function run(where: string, begun: number, rate: number, ms: number, isKilled: boolean) {
  const program = startProgram('history', { where, begun, rate, sandboxes });
  const stored: Run = { from: 0, stored: 0 };
  program.onLine((line) => {
    const [word, from, until] = line.split(' ');
    if (word === 'stored') Object.assign(stored, { from: Number(from), stored: Number(until) });
  });
  await program.ready;
  const startedAt = Date.now();
  const before = cpuSeconds(program.pid);
  const resident: number[] = [];
  while (Date.now() - startedAt < ms) {
    await sleep(sampleMs);
    resident.push(residentMb(program.pid) ?? Number.NaN);
  }
  const used = cpuSeconds(program.pid);
  const busy =
    before === undefined || used === undefined ? undefined : ((used - before) * 1e5) / (Date.now() - startedAt);
  if (isKilled) {
    program.kill();
    return { run: stored, busy, resident, delayP99: undefined, delayMax: undefined };
  }
  program.finish();
  const { first, done, delayP99, delayMax } = said.parse(await program.result);
  return { run: { from: first, stored: done }, busy, resident, delayP99, delayMax };
}

/** Each change began a stay, and brought a Pod that names it; a paused sandbox has none, and the exact time of its condition. */
async function counted(history: History, begun: number, rate: number, runs: readonly Run[]) {
  let acknowledged = 0;
  let found = 0;
  for (const { from, stored } of runs) {
    const [least, most] = [from, stored].map((k) => timeOf(k, { begun, rate }));
    acknowledged += stored - from;
    found += await history.read(async (db) => {
      const { count } = await db
        .selectFrom('stay')
        .innerJoin('place', 'place.id', 'stay.place')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(({ and, eb, or }) =>
          or([
            and([eb('pod_uid', '>=', podOf(from)), eb('pod_uid', '<', podOf(stored))]),
            and([eb('state', '=', 'Paused'), eb('begun', '>=', least ?? 0), eb('begun', '<', most ?? 0)]),
          ]),
        )
        .executeTakeFirstOrThrow();
      return count;
    });
  }
  const { rows } = await history.read((db) =>
    sql<{ twice: number }>`select count(*) as twice from (
      select 1 from stay where pod_uid is not null group by sandbox_uid, pod_uid having count(*) > 1) as more`.execute(
      db,
    ),
  );
  return { acknowledged, found, twice: rows[0]?.twice ?? Number.NaN };
}

async function questions(name: string, history: History, begun: number): Promise<Figure[]> {
  await fill(history, begun);
  const to = Date.now() + 1;
  const durations = (by: DurationGroup, from: number) =>
    timed(() => durationsOf(history, { namespaces: undefined, by, from, to }));
  const one = (await history.read((db) => db.selectFrom('stay').selectAll().limit(1).executeTakeFirst()))?.sandbox_uid;
  const ofOne = () => history.read((db) => staysOfSandbox(db, 'ns-0', one ?? '', 2_000));
  return [
    figure(`${name}, durations of ${manyStays} stays`, 'ms', await durations('none', 0), { budget: 2_000 }),
    figure(`${name}, the same by node`, 'ms', await durations('node', 0), { budget: 2_000 }),
    figure(`${name}, durations of those of five minutes`, 'ms', await durations('pool', to - 300_000), {
      budget: 1_000,
    }),
    figure(`${name}, stays of one sandbox`, 'ms', await timed(ofOne), { budget: 100 }),
  ];
}

/** As many older stays as are missing to the number that questions are measured with. */
async function fill(history: History, begun: number): Promise<void> {
  const ids = new Map<string, number>();
  const { count } = await history.read((db) =>
    db
      .selectFrom('stay')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  );
  const atOnce = 4_000;
  for (let k = count; k < manyStays; k += atOnce) {
    const stays = Array.from({ length: Math.min(atOnce, manyStays - k) }, (_, i) => oldStay(k + i, begun));
    await history.use((db) => db.transaction().execute((transaction) => saveStays(transaction, ids, stays)));
  }
}

function oldStay(k: number, begun: number) {
  const from = begun - 3_600_000 - k * 80;
  const state = ['Creating', 'Available', 'Running', 'Resuming'][k % 4] ?? '';
  return {
    uid: `0ld00000-0000-4000-8000-${String(k % sandboxes).padStart(12, '0')}`,
    seen: from,
    ns: `ns-${k % 5}`,
    state,
    stage: undefined,
    gate: k % 4 === 0 ? 'PodRunning' : undefined,
    pool: `pool-${k % 40}`,
    node: `node-${k % 100}`,
    revision: `rev-${k % 3}`,
    podUid: undefined,
    cause: undefined,
    from,
    fromSource: 'condition' as const,
    stateFrom: from,
    stageFrom: undefined,
    end: { at: from + ((k * 7_919) % 90_000), torn: false, state: true, stage: true },
  };
}

/** Milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

const { rate, seconds } = argumentOf(z.object({ rate: z.number(), seconds: z.number() }));
say(await measureHistory(rate, seconds));
