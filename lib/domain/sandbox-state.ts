import type { DisplayState, SinceSource } from '@/lib/contracts/rows';
import { conditionOf, isFalse, isTrue, type SandboxFacts } from './facts';

/**
 * The state the console shows (design/interface.md section 0). Deletion wins over the phase; a phase this
 * console does not know is Other; nothing without Ready=True is ever Available or Running.
 */
export function displayStateOf(facts: SandboxFacts): DisplayState {
  if (facts.deleting !== undefined) return 'Terminating';
  switch (facts.phase) {
    case '':
    case 'Pending':
      return 'Creating';
    case 'Running':
      return runningState(facts);
    case 'Paused':
      return isTrue(conditionOf(facts, 'SandboxPaused')) ? 'Paused' : 'Pausing';
    case 'Resuming':
    case 'Upgrading':
    case 'Recycling':
    case 'Succeeded':
    case 'Failed':
    case 'Terminating':
      return facts.phase;
    default:
      return 'Other';
  }
}

function runningState(facts: SandboxFacts): DisplayState {
  // The pause was asked for and not seen yet: resuming now is refused (agents#404).
  if (facts.paused) return 'Pausing';
  if (isFalse(conditionOf(facts, 'RuntimeInitialized'))) return 'Initialising';
  if (!isTrue(conditionOf(facts, 'Ready'))) return 'NotReady';
  return facts.idle ? 'Available' : 'Running';
}

/** Reason of the Upgrading condition while the sandbox is being upgraded. */
export function stageOf(facts: SandboxFacts): string | undefined {
  return facts.phase === 'Upgrading' ? conditionOf(facts, 'Upgrading')?.reason : undefined;
}

/**
 * What the duration of a row is counted for: its display state, or the lock of an available pool member, which
 * no condition dates. Watchers compare this between two versions of a row to know when a duration begins anew.
 */
export function timedStateOf(row: { state: DisplayState; idle?: true | undefined; locked?: true | undefined }): string {
  return row.state === 'Available' && row.idle && row.locked ? 'Available/locked' : row.state;
}

/** A {@link timedStateOf} and when somebody watching first saw the sandbox in it (epoch ms, the watcher's clock). */
export interface ObservedState {
  state: string;
  at: number;
}

export interface Since {
  at?: number;
  from: SinceSource;
}

/**
 * Start of the display state and where it is known from. lastTransitionTime moves only when a condition's
 * status flips (domain 4.2), so each state names the flips that coincide with its start. Where a controller
 * refreshes the time without a flip, an earlier observation of the same state wins.
 */
export function sinceOf(facts: SandboxFacts, state: DisplayState, observed?: ObservedState): Since {
  const timed = facts.idle && facts.locked ? timedStateOf({ state, idle: true, locked: true }) : state;
  const seen = observed?.state === timed ? observed.at : undefined;
  const known: Since = timed === state ? knownStart(facts, state) : { from: 'unknown' };
  if (known.at === undefined) return seen === undefined ? { from: 'unknown' } : { at: seen, from: 'observed' };
  return seen !== undefined && seen < known.at - wholeSecond ? { at: seen, from: 'observed' } : known;
}

/** Times of objects have no fractions: what was seen within one says nothing against them. */
const wholeSecond = 1000;

function knownStart(facts: SandboxFacts, state: DisplayState): Since {
  switch (state) {
    case 'Creating':
      // Phase Pending exists only from the creation on: nothing leads back to it (domain 4.1).
      return from('created', facts.created);
    case 'Terminating':
      // For a custom resource deletionTimestamp is the time of the request, not the end of a grace period.
      return from('condition', facts.deleting);
    case 'Running':
      return from('condition', latest(flip(facts, 'Ready', 'True'), facts.claimedAt));
    case 'Available':
      return from('condition', latest(flip(facts, 'Ready', 'True'), flip(facts, 'Recycling', 'True')));
    case 'NotReady':
      return from('condition', latest(notReadySince(facts), ...runningFlips(facts)));
    case 'Initialising':
      return from('condition', latest(flip(facts, 'RuntimeInitialized', 'False'), ...runningFlips(facts)));
    case 'Pausing':
      // With phase Running the pause is only asked for; no condition says when.
      return from('condition', facts.phase === 'Paused' ? conditionOf(facts, 'SandboxPaused')?.at : undefined);
    case 'Paused':
      return from('condition', flip(facts, 'SandboxPaused', 'True'));
    case 'Resuming':
      return from('condition', flip(facts, 'SandboxResumed', 'False'));
    case 'Upgrading':
      return from('condition', flip(facts, 'Upgrading', 'False'));
    case 'Recycling':
      return from('condition', flip(facts, 'Recycling', 'False'));
    case 'Succeeded':
    case 'Failed':
    case 'Other':
      return { from: 'unknown' };
  }
}

/** An update in place sets Ready to False as it begins; where that is not said, its own condition says since when. */
const notReadySince = (facts: SandboxFacts): number | undefined =>
  conditionOf(facts, 'Ready')?.at ?? flip(facts, 'InplaceUpdate', 'False');

/** Ready is False from the start of a pause or an upgrade on, so phase Running may be younger than that. */
function runningFlips(facts: SandboxFacts): (number | undefined)[] {
  return [
    flip(facts, 'SandboxResumed', 'True'),
    flip(facts, 'RuntimeInitialized', 'True'),
    flip(facts, 'Upgrading', 'True'),
  ];
}

function flip(facts: SandboxFacts, type: string, status: 'True' | 'False'): number | undefined {
  const condition = conditionOf(facts, type);
  return condition?.status === status ? condition.at : undefined;
}

/** The latest of the flips; undefined when the first, which defines the state, has no time. */
function latest(defining: number | undefined, ...others: (number | undefined)[]): number | undefined {
  if (defining === undefined) return undefined;
  return Math.max(defining, ...others.filter((at) => at !== undefined));
}

function from(source: SinceSource, at: number | undefined): Since {
  return at === undefined ? { from: 'unknown' } : { at, from: source };
}
