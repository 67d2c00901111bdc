import { type LimitedState, type LimitSettings, limitPair, longestLimitMs } from '@/lib/contracts/triage';
import { defaultLimits, type Limits, limitedStates } from './limits';

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof unitMs;
const units = ['d', 'h', 'm', 's'] as const;

/** Milliseconds of `90s`, `2m`, `1h 30m`; undefined for everything else, also for a number without a unit. */
export function readSpan(text: string): number | undefined {
  const typed = text.trim().toLowerCase();
  if (!/^(\d{1,9}\s*[smhd]\s*)+$/.test(typed)) return undefined;
  let ms = 0;
  for (const [, count, unit] of typed.matchAll(/(\d+)\s*([smhd])/g)) ms += Number(count) * unitMs[unit as Unit];
  return ms;
}

/** The shortest way to write whole seconds: `1h 30m`. */
export function writeSpan(ms: number): string {
  let left = Math.round(ms / 1_000) * 1_000;
  const parts: string[] = [];
  for (const unit of units) {
    const count = Math.floor(left / unitMs[unit]);
    if (count > 0) parts.push(`${count}${unit}`);
    left -= count * unitMs[unit];
  }
  return parts.join(' ') || '0s';
}

/** What somebody has typed for a state; empty: what counts without it. */
export interface LimitText {
  warn: string;
  breach: string;
}
export const limitFields = ['warn', 'breach'] as const;
export type LimitField = (typeof limitFields)[number];

/** By {@link editKey}: only what differs from what is stored has to be in here. */
export type LimitEdits = ReadonlyMap<string, LimitText>;
/** `pool` is `namespace/name`; `''`: all pools. */
export const editKey = (pool: string, state: LimitedState): string => `${pool} ${state}`;

/** `span`: no duration. `bounds`: under a second or over a month. `order`: red would not come after amber. */
export type LimitFault = 'span' | 'bounds' | 'order';

type Settings = Pick<LimitSettings, 'states' | 'pools'>;

const ownOf = (settings: Settings, pool: string, state: LimitedState): Limits | undefined =>
  (pool === '' ? settings.states : settings.pools[pool])?.[state];

/** What counts where nothing of its own is set. */
export const inherited = (settings: Settings, pool: string, state: LimitedState): Limits =>
  (pool === '' ? undefined : settings.states[state]) ?? defaultLimits[state];

/** What the fields show before anything is typed. */
export function shownText(settings: Settings, pool: string, state: LimitedState): LimitText {
  const own = ownOf(settings, pool, state);
  return own ? { warn: writeSpan(own.warn), breach: writeSpan(own.breach) } : { warn: '', breach: '' };
}

/** Settings with what was typed over them. Nothing but what was typed changes, whatever else has been set meanwhile. */
export function withEdits(
  settings: Settings,
  edits: LimitEdits,
): { settings: Settings; faults: Map<string, { field: LimitField; fault: LimitFault }> } {
  const states = { ...settings.states };
  const pools = { ...settings.pools };
  const faults = new Map<string, { field: LimitField; fault: LimitFault }>();
  const now = { states, pools };
  // Of all pools first: those of one pool stand on them.
  for (const [key, text] of [...edits].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const pool = key.slice(0, key.lastIndexOf(' '));
    const state = limitedStates.find((each) => editKey(pool, each) === key);
    if (!state) continue;
    const wanted = pairOf(text, inherited(now, pool, state));
    if (wanted && 'fault' in wanted) {
      faults.set(key, wanted);
      continue;
    }
    const own = { ...(pool === '' ? states : pools[pool]) };
    if (wanted) own[state] = wanted;
    else delete own[state];
    if (pool !== '') {
      if (Object.keys(own).length > 0) pools[pool] = own;
      else delete pools[pool];
    } else {
      for (const each of limitedStates) delete states[each];
      Object.assign(states, own);
    }
  }
  return { settings: now, faults };
}

/** Undefined: none of its own. */
function pairOf(text: LimitText, without: Limits): Limits | { field: LimitField; fault: LimitFault } | undefined {
  if (text.warn.trim() === '' && text.breach.trim() === '') return undefined;
  const pair = { ...without };
  for (const field of limitFields) {
    if (text[field].trim() === '') continue;
    const ms = readSpan(text[field]);
    if (ms === undefined) return { field, fault: 'span' };
    if (ms < 1_000 || ms > longestLimitMs) return { field, fault: 'bounds' };
    pair[field] = ms;
  }
  const typed = text.breach.trim() === '' ? 'warn' : 'breach';
  return limitPair.safeParse(pair).success ? pair : { field: typed, fault: 'order' };
}
