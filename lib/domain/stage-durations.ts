import type { DurationFigures, Stay } from '@/lib/contracts/history';
import { nearestRank } from './nearest-rank';

/** Of durations in ms, by the nearest rank. */
export interface Box {
  count: number;
  /** Of them still going on: they are at least this long. */
  open: number;
  p5: number;
  p25: number;
  p50: number;
  p75: number;
  p95: number;
  max: number;
}

/** Where members of a cohort spent their time inside one state, against what is usual there. */
export interface StageRow {
  /** Stage of an upgrade, or the controller's gate; both absent for the state as a whole. */
  stage?: string | undefined;
  gate?: string | undefined;
  /** Of the members; absent when none was seen there. */
  box?: Box;
  /** Of everything that ended there; absent when nothing did. */
  usual?: DurationFigures;
}

export function boxOf(durations: readonly number[], open = 0): Box | undefined {
  if (durations.length === 0) return undefined;
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (share: number) => nearestRank(sorted, share) ?? 0;
  return {
    count: sorted.length,
    open,
    p5: at(0.05),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p95: at(0.95),
    max: at(1),
  };
}

const partOf = ({ stage, gate }: Pick<Stay, 'stage' | 'gate'>): string => `${stage ?? ''}/${gate ?? ''}`;

/** The stays since it came into the state it is in, oldest first; none when that is another state. */
export function episodeOf(stays: readonly Stay[], state: string): Stay[] {
  let first = stays.length;
  while (first > 0 && stays[first - 1]?.state === state) first--;
  return stays.slice(first);
}

interface Part {
  stage?: string | undefined;
  gate?: string | undefined;
  durations: number[];
  open: number;
  /** Sum and number of how long after the state began it was reached. */
  offset: number;
  reached: number;
}

/**
 * Stages and gates of a state in the order in which members reached them, and after those what is usual there and was
 * seen in no member. `histories`: stays of each member, oldest first. `now`: epoch ms of the same clock.
 */
export function stageRows(
  histories: readonly (readonly Stay[])[],
  figures: readonly DurationFigures[],
  state: string,
  now: number,
): StageRow[] {
  const parts = new Map<string, Part>();
  for (const stays of histories) collect(parts, episodeOf(stays, state), now);
  const usual = new Map(figures.filter((each) => each.state === state).map((each) => [partOf(each), each]));
  const rows = [...parts]
    .sort(([, a], [, b]) => a.offset / Math.max(1, a.reached) - b.offset / Math.max(1, b.reached))
    .map(([key, part]) => rowOf(part, usual.get(key)));
  const unseen = [...usual].filter(([key, figure]) => !parts.has(key) && isPart(figure) && figure.p50 !== undefined);
  return [...rows, ...unseen.map(([, figure]) => rowOf(figure, figure))];
}

const isPart = ({ stage, gate }: Pick<Stay, 'stage' | 'gate'>): boolean => stage !== undefined || gate !== undefined;

function collect(parts: Map<string, Part>, episode: readonly Stay[], now: number): void {
  const begin = episode.find(({ from }) => from !== undefined)?.from;
  // A gate may hold it twice in one episode: what counts is the time it took in all.
  const own = new Map<string, { ms: number; open: boolean }>();
  for (const stay of episode) {
    const end = stay.to ?? (stay.torn ? undefined : now);
    if (!isPart(stay) || stay.from === undefined || end === undefined) continue;
    const key = partOf(stay);
    const part = parts.get(key) ?? {
      stage: stay.stage,
      gate: stay.gate,
      durations: [],
      open: 0,
      offset: 0,
      reached: 0,
    };
    parts.set(key, part);
    if (!own.has(key)) {
      part.offset += stay.from - (begin ?? stay.from);
      part.reached++;
    }
    const known = own.get(key);
    own.set(key, {
      ms: (known?.ms ?? 0) + Math.max(0, end - stay.from),
      open: known?.open || stay.to === undefined,
    });
  }
  for (const [key, { ms, open }] of own) {
    const part = parts.get(key);
    part?.durations.push(ms);
    if (part && open) part.open++;
  }
}

function rowOf(part: Pick<Stay, 'stage' | 'gate'> & Partial<Part>, usual: DurationFigures | undefined): StageRow {
  const box = boxOf(part.durations ?? [], part.open);
  return { stage: part.stage, gate: part.gate, ...(box ? { box } : {}), ...(usual ? { usual } : {}) };
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const decades = [
  1,
  10,
  100,
  second,
  10 * second,
  minute,
  10 * minute,
  hour,
  10 * hour,
  24 * hour,
  240 * hour,
  2_400 * hour,
];

/** A scale on which ten times longer is always as far: positions are shares of the width. */
export interface LogScale {
  ticks: number[];
  x: (ms: number) => number;
}

/** From a tenth of a second, or what `shortest` (ms) needs, to what `longest` needs. */
export function logScale(longest: number, shortest = 100): LogScale {
  const least = decades.findLast((ms) => ms <= Math.min(100, shortest)) ?? 1;
  const from = Math.log10(least);
  const to = Math.log10(Math.max(20 * second, longest) * 1.25);
  const x = (ms: number) => Math.min(1, Math.max(0, (Math.log10(Math.max(least, ms)) - from) / (to - from)));
  return { ticks: decades.filter((ms) => ms >= least && Math.log10(ms) <= to), x };
}
