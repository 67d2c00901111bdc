import 'server-only';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Freshness } from '@/lib/contracts/stream';
import type { Mark } from '@/lib/contracts/triage';
import type { LimitsInForce } from '@/lib/domain/limits';
import { isStuck } from '@/lib/domain/severity';
import { coverage } from '@/lib/domain/triage';
import { type History, HistoryUnavailable, history } from '../history/database';
import { limitsStore } from '../history/limits';
import { loadMarks, pruneMarks } from '../history/marks';
import { getCluster } from '../kube/cluster';
import { clusterNow } from '../kube/cluster-clock';
import { log } from '../log';
import { once } from '../once';

const sweepEveryMs = 60_000;
/** Nothing that a mark covers has been stuck for so long: the matter is over, and what comes next is another one. */
export const quietMs = 5 * 60_000;
/** A snooze that has been over for so long is of no use to anybody. */
export const pastMs = 3_600_000;
/** However long something hangs. */
export const oldestMs = 30 * 24 * 3_600_000;

export interface SweptSource {
  rows(kind: 'sandboxes'): Iterable<SandboxRow>;
  freshness(): Freshness;
}

/**
 * Takes marks away whose matter is over. Counted from what this process has seen while sandboxes were live: a restart or an
 * outage makes nobody's word disappear.
 */
export class MarkSweeper {
  #source: SweptSource;
  #history: History;
  #limits: () => LimitsInForce;
  #now: () => number;
  /** By mark and version: since when nothing that it covers is stuck. */
  #quiet = new Map<string, number>();
  #sweptAt: number | undefined;

  constructor(source: SweptSource, history: History, limits: () => LimitsInForce, now: () => number) {
    this.#source = source;
    this.#history = history;
    this.#limits = limits;
    this.#now = now;
  }

  /** @throws {HistoryUnavailable} */
  async sweep(): Promise<void> {
    const now = this.#now();
    const live = this.#source.freshness().kinds.some(({ kind, state }) => kind === 'sandboxes' && state === 'live');
    // What was not watched in between may have been stuck.
    if (!live || now - (this.#sweptAt ?? now) > 3 * sweepEveryMs) this.#quiet.clear();
    this.#sweptAt = now;
    const marks = await loadMarks(this.#history);
    const limits = this.#limits();
    const covering = coverage(marks);
    const busy = new Set<Mark>();
    for (const row of live ? this.#source.rows('sandboxes') : []) {
      if (isStuck(row, now, limits)) for (const mark of covering(row)) busy.add(mark);
    }
    const quiet = new Map<string, number>();
    for (const mark of live ? marks : []) {
      if (busy.has(mark)) continue;
      const key = keyOf(mark);
      quiet.set(key, this.#quiet.get(key) ?? now);
    }
    this.#quiet = quiet;
    const over = marks.filter(
      (mark) => now - mark.at > oldestMs || now - (quiet.get(keyOf(mark)) ?? now) >= quietMs || isPast(mark, now),
    );
    await pruneMarks(this.#history, over);
    for (const { id, scope, by } of over) log.info({ key: 'mark.over', mark: id, namespace: scope.ns, actor: by });
  }
}

const keyOf = ({ id, version }: Mark): string => `${id} ${version}`;

const isPast = ({ until }: Mark, now: number): boolean => until !== undefined && now - until > pastMs;

/** The one of this process; it sweeps from the first call on. */
export const markSweeper = (): MarkSweeper =>
  once('triage.sweeper', () => {
    const sweeper = new MarkSweeper(getCluster(), history(), () => limitsStore().inForce, clusterNow);
    if (history().state().state === 'off') return sweeper;
    const sweep = () =>
      sweeper.sweep().catch((error: unknown) => {
        if (!(error instanceof HistoryUnavailable)) log.error({ key: 'mark.sweep', err: error });
      });
    setInterval(sweep, sweepEveryMs).unref();
    return sweeper;
  });
