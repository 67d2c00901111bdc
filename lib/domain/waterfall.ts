import type { DurationFigures, Stay } from '@/lib/contracts/history';

/** One stay of a sandbox as a bar. Positions are shares of the width. */
export interface WaterfallBar {
  stay: Stay;
  x0: number;
  x1: number;
  /** Milliseconds; absent when the start is unknown and nothing says how long at least. */
  ms?: number;
  /** It lasted this long at least: its start or its end was not seen. */
  atLeast: boolean;
  open: boolean;
  /** Where it would end in half and in 95 of 100 cases. */
  band?: { x0: number; x1: number };
}

/** A stretch in which nothing changed, drawn shorter than it was. */
export interface Collapsed {
  x0: number;
  x1: number;
  ms: number;
}

export interface Waterfall {
  from: number;
  to: number;
  bars: WaterfallBar[];
  collapsed: Collapsed[];
  /** Moments at even steps of what is not collapsed, epoch ms, with their places. */
  ticks: { at: number; x: number }[];
}

/** Longer than this, and more than this share of all, is a stretch that would leave no room for the rest. */
const longMs = 10_000;
const longShare = 0.55;
/** Room of one collapsed stretch, and of all of them together. */
const room = 0.2;
const roomOfAll = 0.6;

/** Places bars of stays, oldest first. `since`: the console has watched from then on. Undefined when there is nothing to place. */
export function waterfallOf(
  stays: readonly Stay[],
  { now, since, usual = [] }: { now: number; since: number; usual?: readonly DurationFigures[] },
): Waterfall | undefined {
  const spans = stays.map((stay, index) => spanOf(stay, stays[index - 1], since, now));
  const edges = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const from = edges[0];
  const to = edges.at(-1);
  if (from === undefined || to === undefined) return undefined;
  const { x, collapsed } = axisOf(edges);
  const figures = new Map(usual.map((each) => [placeOf(each), each]));
  const bars = spans.map(({ stay, start, end, ...told }): WaterfallBar => {
    const figure = figures.get(placeOf(stay));
    const { p50, p95 } = figure ?? {};
    const known = stay.from !== undefined && p50 !== undefined && p95 !== undefined;
    return {
      stay,
      x0: x(start),
      x1: x(end),
      ...told,
      ...(known ? { band: { x0: x(start + p50), x1: x(start + p95) } } : {}),
    };
  });
  return { from, to, bars, collapsed, ticks: ticksOf(edges, collapsed, x) };
}

const placeOf = ({ state, stage, gate }: Pick<Stay, 'state' | 'stage' | 'gate'>): string =>
  `${state}/${stage ?? ''}/${gate ?? ''}`;

/** Where a bar begins and ends, and what may be said of its length. */
function spanOf(stay: Stay, before: Stay | undefined, since: number, now: number) {
  const open = stay.to === undefined && !stay.torn;
  const end = stay.to ?? (stay.torn ? (stay.seenUntil ?? now) : now);
  const earliest = before?.to ?? before?.seenUntil;
  const start = stay.from ?? (earliest !== undefined && earliest <= end ? earliest : Math.min(end, since));
  const ms = stay.from === undefined ? end - Math.max(start, Math.min(end, since)) : end - stay.from;
  const unsure = stay.from === undefined || stay.fromSource === 'observed' || stay.torn === true;
  return {
    stay,
    start: Math.min(start, end),
    end,
    open,
    atLeast: unsure,
    ...(stay.from === undefined && ms <= 0 ? {} : { ms: Math.max(0, ms) }),
  };
}

interface Stretch {
  from: number;
  to: number;
  collapsed: boolean;
}

/** Time to place: even, but for stretches so long that nothing else could be seen. */
function axisOf(edges: readonly number[]) {
  const stretches = edges.slice(1).map((to, index): Stretch => ({ from: edges[index] ?? to, to, collapsed: false }));
  let left = stretches.reduce((sum, each) => sum + each.to - each.from, 0);
  for (const stretch of [...stretches].sort((a, b) => b.to - b.from - (a.to - a.from))) {
    const ms = stretch.to - stretch.from;
    if (stretches.length < 2 || ms < longMs || ms < left * longShare) break;
    stretch.collapsed = true;
    left -= ms;
  }
  const short = stretches.filter((each) => each.collapsed).length;
  const each = short === 0 ? 0 : Math.min(room, roomOfAll / short);
  const rest = 1 - short * each;
  const places: (Stretch & { x0: number; x1: number })[] = [];
  let at = 0;
  for (const stretch of stretches) {
    const width = stretch.collapsed ? each : left > 0 ? ((stretch.to - stretch.from) / left) * rest : 0;
    places.push({ ...stretch, x0: at, x1: at + width });
    at += width;
  }
  const x = (ms: number): number => {
    const place = places.find(({ to }) => ms <= to) ?? places.at(-1);
    if (!place) return 0;
    const share = place.to > place.from ? (ms - place.from) / (place.to - place.from) : 0;
    return Math.min(1, Math.max(0, place.x0 + Math.max(0, share) * (place.x1 - place.x0)));
  };
  const collapsed = places
    .filter((place) => place.collapsed)
    .map(({ x0, x1, from, to }): Collapsed => ({ x0, x1, ms: to - from }));
  return { x, collapsed };
}

const steps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800].map(
  (s) => s * 1_000,
);

/** About four marks after the first one, none of them inside of a collapsed stretch. */
function ticksOf(edges: readonly number[], collapsed: readonly Collapsed[], x: (at: number) => number) {
  const from = edges[0] ?? 0;
  const to = edges.at(-1) ?? 0;
  const shown = to - from - collapsed.reduce((sum, { ms }) => sum + ms, 0);
  const step = steps.find((each) => shown / each <= 5) ?? steps.at(-1) ?? 1_000;
  const ticks: { at: number; x: number }[] = [];
  for (let at = from; at <= to && ticks.length < 12; at += step) {
    const place = x(at);
    if (collapsed.some(({ x0, x1 }) => place > x0 && place < x1)) break;
    ticks.push({ at, x: place });
  }
  return ticks;
}
