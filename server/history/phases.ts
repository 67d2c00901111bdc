import 'server-only';
import type { PhaseHistoryReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Freshness } from '@/lib/contracts/stream';
import { isOverdue } from '@/lib/domain/severity';
import { once } from '../once';

const stepMs = 15_000;
const keepMs = 60 * 60_000;

type Counts = Record<string, number>;
/** Counts are kept by namespace, because people see different ones. */
type Sample = { at: number; byNamespace: Map<string, { counts: Counts; overdue: Counts }> };

export type PhaseSource = {
  rows(kind: 'sandboxes'): Iterable<SandboxRow>;
  freshness(): Freshness;
};

export type PhaseHistory = {
  /** Counts now. Does nothing while sandboxes are not live: a gap is true, old numbers are not. */
  sample(): void;
  /** The last `minutes`, summed over the namespaces that `maySee` lets through. */
  read(minutes: number, maySee: (namespace: string) => boolean): PhaseHistoryReply;
};

/** Sandboxes per displayed state, every 15 s for an hour, in memory. Reserved ones are in no total. */
export function makePhaseHistory(source: PhaseSource, now: () => number = Date.now): PhaseHistory {
  const since = now();
  let samples: Sample[] = [];
  return {
    sample() {
      if (source.freshness().kinds.find((k) => k.kind === 'sandboxes')?.state !== 'live') return;
      const at = now();
      const byNamespace: Sample['byNamespace'] = new Map();
      for (const row of source.rows('sandboxes')) {
        if (row.reserved) continue;
        let of = byNamespace.get(row.ns);
        if (!of) {
          of = { counts: {}, overdue: {} };
          byNamespace.set(row.ns, of);
        }
        of.counts[row.state] = (of.counts[row.state] ?? 0) + 1;
        if (isOverdue(row, at)) of.overdue[row.state] = (of.overdue[row.state] ?? 0) + 1;
      }
      samples = [...samples.filter((s) => at - s.at < keepMs), { at, byNamespace }];
    },
    read(minutes, maySee) {
      const time = now();
      const recent = samples.filter((s) => time - s.at <= minutes * 60_000);
      return { time, since, stepSeconds: stepMs / 1000, samples: recent.map((s) => summed(s, maySee)) };
    },
  };
}

function summed(sample: Sample, maySee: (namespace: string) => boolean) {
  const counts: Counts = {};
  const overdue: Counts = {};
  for (const [namespace, of] of sample.byNamespace) {
    if (!maySee(namespace)) continue;
    for (const [state, n] of Object.entries(of.counts)) counts[state] = (counts[state] ?? 0) + n;
    for (const [state, n] of Object.entries(of.overdue)) overdue[state] = (overdue[state] ?? 0) + n;
  }
  return { at: sample.at, counts, overdue };
}

/** The recorder of this process; the first call starts it. */
export function phaseHistory(source: PhaseSource): PhaseHistory {
  return once('history.phases', () => {
    const history = makePhaseHistory(source);
    history.sample();
    setInterval(() => history.sample(), stepMs).unref();
    return history;
  });
}
