import type { SandboxRow } from '@/lib/contracts/rows';
import { type LimitedState, type LimitSettings, limitedState } from '@/lib/contracts/triage';

/** Milliseconds in a state after which it is amber (`warn`) and red (`breach`). */
export interface Limits {
  warn: number;
  breach: number;
}

const second = 1000;
const minute = 60 * second;

/**
 * design/interface.md section 0. States without an entry may last for ever; Failed needs no clock.
 * Recycling: the controller's own timeout is 60 s (domain 4.7), so past two minutes it was not even given up.
 */
export const defaultLimits: Readonly<Record<LimitedState, Limits>> = {
  Creating: { warn: minute, breach: 5 * minute },
  NotReady: { warn: minute, breach: 5 * minute },
  Pausing: { warn: minute, breach: 5 * minute },
  Resuming: { warn: 30 * second, breach: 2 * minute },
  Initialising: { warn: 30 * second, breach: 2 * minute },
  Upgrading: { warn: 10 * minute, breach: 30 * minute },
  Recycling: { warn: minute, breach: 2 * minute },
  Terminating: { warn: 2 * minute, breach: 5 * minute },
};
export const limitedStates = limitedState.options;

type OfStates = Readonly<Partial<Record<string, Limits>>>;

/** The limits that everything is judged by now: the defaults, with what somebody has set over them. */
export interface LimitsInForce {
  readonly states: OfStates;
  /** By namespace, then by name of the pool; none for most. */
  readonly pools: ReadonlyMap<string, ReadonlyMap<string, OfStates>>;
}

export const noSettings: LimitSettings = { version: 0, states: {}, pools: {} };

export function limitsInForce({ states, pools }: Pick<LimitSettings, 'states' | 'pools'>): LimitsInForce {
  const inForce = { ...defaultLimits, ...states };
  const byNamespace = new Map<string, Map<string, OfStates>>();
  for (const [key, own] of Object.entries(pools)) {
    const slash = key.indexOf('/');
    const [ns, name] = [key.slice(0, slash), key.slice(slash + 1)];
    const known = byNamespace.get(ns) ?? new Map<string, OfStates>();
    byNamespace.set(ns, known.set(name, { ...inForce, ...own }));
  }
  return { states: inForce, pools: byNamespace };
}

export interface LimitChange {
  /** `namespace/name`; absent: for all pools. */
  pool?: string;
  state: LimitedState;
  /** Absent: the one that counts without it. */
  before?: Limits;
  after?: Limits;
}

type Settings = Pick<LimitSettings, 'states' | 'pools'>;

/** What differs between two settings. */
export function limitChanges(before: Settings, after: Settings): LimitChange[] {
  const pools = [...new Set([...Object.keys(before.pools), ...Object.keys(after.pools)])].sort();
  const of = (set: Settings, pool: string | undefined) => (pool === undefined ? set.states : (set.pools[pool] ?? {}));
  return [undefined, ...pools].flatMap((pool) =>
    limitedStates.flatMap((state): LimitChange[] => {
      const [was, is] = [of(before, pool)[state], of(after, pool)[state]];
      if (was?.warn === is?.warn && was?.breach === is?.breach) return [];
      const sides = { ...(was ? { before: was } : {}), ...(is ? { after: is } : {}) };
      return [{ ...(pool === undefined ? {} : { pool }), state, ...sides }];
    }),
  );
}

/** Without the pools of namespaces that are not to be seen. */
export function visibleLimits(settings: LimitSettings, sees: (namespace: string) => boolean): LimitSettings {
  const pools = Object.entries(settings.pools).filter(([key]) => sees(key.slice(0, key.indexOf('/'))));
  return { ...settings, pools: Object.fromEntries(pools) };
}

/** Where nobody can have set any: without a console's database. */
export const standardLimits = limitsInForce(noSettings);

/** What limits depend on. `pool` absent: of none. */
export type Limited = Pick<SandboxRow, 'state' | 'ns' | 'pool'>;

/** Undefined for a state that may last for ever. */
export function limitsOf({ state, ns, pool }: Limited, limits: LimitsInForce): Limits | undefined {
  const own = pool === undefined || limits.pools.size === 0 ? undefined : limits.pools.get(ns)?.get(pool);
  return (own ?? limits.states)[state];
}

/**
 * A pool member that is available and locked: a delete sets the lock milliseconds before, so a lock that stays was
 * left behind, and takes a member out of use without a sign (T16). It harms nobody's session: never red.
 */
export const lockedLimits: Limits = { warn: minute, breach: Number.POSITIVE_INFINITY };
