import 'server-only';
import { z } from 'zod';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Freshness } from '@/lib/contracts/stream';
import type { LimitsInForce } from '@/lib/domain/limits';
import { isOverdue } from '@/lib/domain/severity';
import { log } from '../log';
import { type History, HistoryUnavailable } from './database';
import { parsedJson } from './json';

const stepMs = 15_000;
const keepMs = 60 * 60_000;
const minuteMs = 60_000;
const storedMs = 24 * 60 * 60_000;
/** Of longer stretches, one sample in five minutes: more are not seen on a page. */
const [longMs, longStepMs] = [6 * 60 * 60_000, 5 * 60_000];

/** By pool ('' for none), by state: how many, and how many of them overdue. */
const counts = z.record(z.string(), z.record(z.string(), z.tuple([z.number(), z.number()])));
/** Counts as text: kept by namespace, because people see different ones, and many. */
type Sample = { at: number; byNamespace: Map<string, string> };

export type PhaseSource = {
  rows(kind: 'sandboxes'): Iterable<SandboxRow>;
  freshness(): Freshness;
};

export interface PhaseQuestion {
  minutes: number;
  maySee(namespace: string): boolean;
  /** All of them when absent. */
  pool?: { ns: string; name: string } | undefined;
}

export interface PhaseAnswer {
  /** Start of what is known. */
  since: number;
  stepSeconds: number;
  samples: { at: number; counts: Record<string, number>; overdue: Record<string, number> }[];
}

export type PhaseHistory = {
  /** Counts now. Does nothing while sandboxes are not live: a gap is true, old numbers are not. */
  sample(): void;
  /** The last `minutes`, summed over what the question lets through. While the database is away, what is in memory. */
  read(question: PhaseQuestion): Promise<PhaseAnswer>;
};

interface PhaseOptions {
  history: History;
  /** Whether this process is the one that stores. */
  records(): boolean;
  /** What is overdue. */
  limits(): LimitsInForce;
  now(): number;
}

/**
 * Sandboxes per displayed state, every 15 s for an hour in memory, and every minute for a day in the database. Reserved ones
 * are in no total.
 */
export function makePhaseHistory(source: PhaseSource, { history, records, limits, now }: PhaseOptions): PhaseHistory {
  const started = now();
  let samples: Sample[] = [];
  let storedMinute = 0;
  return {
    sample() {
      if (source.freshness().kinds.find((k) => k.kind === 'sandboxes')?.state !== 'live') return;
      const at = now();
      const sample = { at, byNamespace: counted(source.rows('sandboxes'), at, limits()) };
      samples = [...samples.filter((s) => at - s.at < keepMs), sample];
      const minute = at - (at % minuteMs);
      // Only what was counted about then goes by the name of the minute.
      if (at - minute >= stepMs || minute === storedMinute || !records()) return;
      storedMinute = minute;
      store(history, { ...sample, at: minute }).catch((error: unknown) => {
        if (!(error instanceof HistoryUnavailable)) log.error({ key: 'history.fault', err: error });
      });
    },
    async read({ minutes, maySee, pool }) {
      const time = now();
      const from = time - minutes * minuteMs;
      const recent = samples.filter((s) => s.at >= from);
      const oldest = recent[0]?.at ?? time;
      const isLong = time - from > longMs;
      const step = isLong ? longStepMs : minuteMs;
      const stored =
        from < started || minutes * minuteMs > keepMs ? await load(history, from, oldest, step, pool?.ns) : [];
      // In even steps: with what is stored, only one in so many of the others.
      const even =
        stored.length === 0 ? recent : recent.filter((s, i) => i === 0 || !isSameStep(s, recent[i - 1], step));
      return {
        since: Math.min(started, stored[0]?.at ?? started),
        stepSeconds: (stored.length === 0 ? stepMs : step) / 1000,
        samples: [...stored, ...even].map((s) => summed(s, maySee, pool)),
      };
    },
  };
}

const isSameStep = (a: Sample, b: Sample | undefined, step: number) =>
  b !== undefined && Math.floor(a.at / step) === Math.floor(b.at / step);

function counted(rows: Iterable<SandboxRow>, at: number, limits: LimitsInForce): Sample['byNamespace'] {
  const all = new Map<string, z.infer<typeof counts>>();
  for (const row of rows) {
    if (row.reserved) continue;
    const pools = all.get(row.ns) ?? {};
    all.set(row.ns, pools);
    pools[row.pool ?? ''] ??= {};
    const states = pools[row.pool ?? ''] ?? {};
    const [count, overdue] = states[row.state] ?? [0, 0];
    states[row.state] = [count + 1, overdue + (isOverdue(row, at, limits) ? 1 : 0)];
  }
  return new Map([...all].map(([namespace, pools]) => [namespace, JSON.stringify(pools)]));
}

function summed(
  sample: Sample,
  maySee: PhaseQuestion['maySee'],
  pool: PhaseQuestion['pool'],
): PhaseAnswer['samples'][number] {
  const sum: PhaseAnswer['samples'][number] = { at: sample.at, counts: {}, overdue: {} };
  for (const [namespace, text] of sample.byNamespace) {
    if (!maySee(namespace) || (pool && pool.ns !== namespace)) continue;
    // Of what another version has written in another way, nothing.
    const pools = counts.catch({}).parse(parsedJson(text));
    const chosen = pool ? [pools[pool.name] ?? {}] : Object.values(pools);
    for (const states of chosen) {
      for (const [state, [count, overdue]] of Object.entries(states)) {
        sum.counts[state] = (sum.counts[state] ?? 0) + count;
        if (overdue > 0) sum.overdue[state] = (sum.overdue[state] ?? 0) + overdue;
      }
    }
  }
  return sum;
}

function store(history: History, { at, byNamespace }: Sample): Promise<void> {
  return history.use(async (db) => {
    const rows = [...byNamespace].map(([namespace, text]) => ({ at, namespace, counts: text }));
    for (let from = 0; from < rows.length; from += 1_000) {
      await db
        .insertInto('phase_sample')
        .values(rows.slice(from, from + 1_000))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    await db
      .deleteFrom('phase_sample')
      .where('at', '<', at - storedMs)
      .execute();
  });
}

/** Stored samples from `from` to before `to`, oldest first; none while the database is away. */
async function load(
  history: History,
  from: number,
  to: number,
  step: number,
  namespace: string | undefined,
): Promise<Sample[]> {
  try {
    const rows = await history.read((db) => {
      const some = db.selectFrom('phase_sample').selectAll().where('at', '>=', from).where('at', '<', to);
      const thin = step === minuteMs ? some : some.where(({ eb }) => eb(eb('at', '%', step), '=', 0));
      return (namespace === undefined ? thin : thin.where('namespace', '=', namespace)).orderBy('at').execute();
    });
    const samples = new Map<number, Sample>();
    for (const row of rows) {
      const sample = samples.get(row.at) ?? { at: row.at, byNamespace: new Map() };
      sample.byNamespace.set(row.namespace, row.counts);
      samples.set(row.at, sample);
    }
    return [...samples.values()];
  } catch (error) {
    if (error instanceof HistoryUnavailable) return [];
    throw error;
  }
}

/** Samples from now on, for as long as the process lives. */
export function keepSampling(phases: PhaseHistory): PhaseHistory {
  phases.sample();
  setInterval(() => phases.sample(), stepMs).unref();
  return phases;
}
