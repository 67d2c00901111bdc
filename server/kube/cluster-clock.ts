import 'server-only';
import { once } from '../once';

/** A clock of a machine says whole seconds in its Date header. */
const headerMs = 1_000;
/** Drift makes what was heard long ago say less about now. */
const keepMs = 5 * 60_000;
/** Clocks closer than this are as good as one; correcting by less than is known would make durations tremble. */
const tolerableMs = 1_000;

/** How far the cluster's clock is ahead of this machine's, and how far off that may be; ms. */
export interface Skew {
  ms: number;
  doubtMs: number;
}

interface Heard {
  at: number;
  least: number;
  most: number;
}

/**
 * The cluster's clock as this process knows it. Objects carry times of the cluster, so durations and deadlines are counted
 * by its clock: everything in the console that is compared with such a time takes its "now" from here. Each answer of the
 * API server bounds the difference: its Date, a whole second, lies between sending and receiving. Many bounds together tell
 * it to a fraction of a second.
 */
export class ClusterClock {
  #local: () => number;
  #heard: Heard[] = [];
  #adopted = 0;

  constructor(local: () => number = () => Date.now()) {
    this.#local = local;
  }

  readonly now = (): number => this.#local() + this.#adopted;

  /** Time of this machine, for {@link heard}. */
  readonly local = (): number => this.#local();

  /** @param date the Date header of an answer; @param sent when it was asked for, by {@link local} */
  heard(date: string | undefined, sent: number): void {
    const told = Date.parse(date ?? '');
    if (Number.isNaN(told)) return;
    const at = this.#local();
    const bounds = { at, least: told - at, most: told + headerMs - sent };
    const kept = this.#heard.filter((each) => at - each.at < keepMs && each.at <= at);
    // Bounds that exclude each other: one of the clocks was set, or another API server answered.
    const agree = kept.every((each) => each.least <= bounds.most && bounds.least <= each.most);
    // What is no tighter and older than this can say nothing any more: few are kept, however many answers come.
    const tighter = kept.filter((each) => each.least > bounds.least || each.most < bounds.most);
    this.#heard = [...(agree ? tighter : []), bounds];
    const { ms, doubtMs } = this.skew() ?? { ms: 0, doubtMs: 0 };
    const wanted = Math.abs(ms) < tolerableMs + doubtMs ? 0 : ms;
    // A better estimate of the same difference is no reason to move every duration on the page.
    if (Math.abs(wanted - this.#adopted) > tolerableMs / 2 + doubtMs) this.#adopted = Math.round(wanted);
  }

  /** Undefined until an answer was heard. */
  skew(): Skew | undefined {
    if (this.#heard.length === 0) return undefined;
    const least = Math.max(...this.#heard.map((each) => each.least));
    const most = Math.min(...this.#heard.map((each) => each.most));
    return { ms: Math.round((least + most) / 2), doubtMs: Math.ceil((most - least) / 2) };
  }

  /** By how much {@link now} differs from this machine's clock; 0 while they are as good as one. */
  get corrected(): number {
    return this.#adopted;
  }
}

/** The one of this process. */
export const clusterClock = (): ClusterClock => once('kube.clock', () => new ClusterClock());

/** "Now" by the cluster's clock, epoch ms. */
export const clusterNow = (): number => clusterClock().now();
