import type { DisplayState } from '@/lib/contracts/rows';

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
const limits: Partial<Record<DisplayState, Limits>> = {
  Creating: { warn: minute, breach: 5 * minute },
  NotReady: { warn: minute, breach: 5 * minute },
  Pausing: { warn: minute, breach: 5 * minute },
  Resuming: { warn: 30 * second, breach: 2 * minute },
  Initialising: { warn: 30 * second, breach: 2 * minute },
  Upgrading: { warn: 10 * minute, breach: 30 * minute },
  Recycling: { warn: minute, breach: 2 * minute },
  Terminating: { warn: 2 * minute, breach: 5 * minute },
};

export function limitsOf(state: DisplayState): Limits | undefined {
  return limits[state];
}

/**
 * A pool member that is available and locked: a delete sets the lock milliseconds before, so a lock that stays was
 * left behind, and takes a member out of use without a sign (T16). It harms nobody's session: never red.
 */
export const lockedLimits: Limits = { warn: minute, breach: Number.POSITIVE_INFINITY };
