import 'server-only';
import { z } from 'zod';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Freshness } from '@/lib/contracts/stream';
import type { LimitsInForce } from '@/lib/domain/limits';
import { isOverdue } from '@/lib/domain/severity';
import { log } from '../log';
import { type History, HistoryUnavailable } from './database';
import { parsedJson } from './json';
import { loadSamples, minuteMs, minuteOf, type Sample, storeSamples } from './phase-samples';

const stepMs = 15_000;
const keepMs = 60 * 60_000;
/** Of longer stretches, one sample in five minutes: more are not seen on a page. */
const [longMs, longStepMs] = [6 * 60 * 60_000, 5 * 60_000];

/** By pool ('' for none), by state: how many, and how many of them overdue. */
const counts = z.record(z.string(), z.record(z.string(), z.tuple([z.number(), z.number()])));

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
 * Sandboxes per displayed state, every 15 s for an hour in memory, and of every minute with a live watch the first sample for
 * a day in the database, by the time at which it was counted; what cannot be stored at once is when that is possible, for an
 * hour. Reserved ones are in no total.
 */
export function makePhaseHistory(source: PhaseSource, { history, records, limits, now }: PhaseOptions): PhaseHistory {
  const started = now();
  let samples: Sample[] = [];
  /** The first of each minute that is not known to be stored. */
  let unstored: Sample[] = [];
  let last: number | undefined;
  let storing: Promise<void> | undefined;
  const storeAll = async () => {
    const some = unstored;
    await storeSamples(history, some);
    unstored = unstored.filter((each) => !some.includes(each));
  };
  return {
    sample() {
      if (!isLive(source)) return;
      const at = now();
      const sample = { at, byNamespace: counted(source.rows('sandboxes'), at, limits()) };
      samples = [...samples.filter((s) => at - s.at < keepMs), sample];
      // Those that do not record keep theirs, too: whoever records may end without having stored the last ones.
      unstored = unstored.filter((s) => at - s.at < keepMs);
      if (last === undefined || minuteOf(at) !== minuteOf(last)) unstored.push(sample);
      last = at;
      if (unstored.length === 0 || storing || !records()) return;
      storing = storeAll()
        .catch((error: unknown) => {
          if (!(error instanceof HistoryUnavailable)) log.error({ key: 'history.fault', err: error });
        })
        .finally(() => {
          storing = undefined;
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
        from < started || minutes * minuteMs > keepMs ? await loadSamples(history, from, oldest, step, pool?.ns) : [];
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

/** Samples from now on, for as long as the process lives: whenever sandboxes become live, and every 15 s. */
export function keepSampling(
  phases: PhaseHistory,
  source: Pick<PhaseSource, 'freshness'> & { onState(listener: () => void): void },
): PhaseHistory {
  let wasLive = false;
  const look = () => {
    const live = isLive(source);
    if (live && !wasLive) phases.sample();
    wasLive = live;
  };
  look();
  source.onState(look);
  setInterval(() => phases.sample(), stepMs).unref();
  return phases;
}

const isLive = (source: Pick<PhaseSource, 'freshness'>): boolean =>
  source.freshness().kinds.some(({ kind, state }) => kind === 'sandboxes' && state === 'live');
