import type { Counts } from './counts';

/**
 * Taking upgradePolicy off lets a sandbox's generation lag for a moment: an operation that looks just then counts one updated less,
 * and one more the next time. Whether it looks then is chance (recorded: update-deleted-midway 10.925, and in most others not), so
 * such a status is left out, provided that the count comes back.
 */
export function withoutSetbacks(states: Counts[]): Counts[] {
  if (states[0]?.kind !== 'sandboxupdateops') return states;
  const updated = ({ numbers }: Counts): number => numbers.updated ?? 0;
  return states.filter((state, i) => {
    const before = Math.max(-1, ...states.slice(0, i).map(updated));
    return updated(state) >= before || !states.slice(i + 1).some((later) => updated(later) >= before);
  });
}

/**
 * A pool that is being scaled does not count how many are updated: it keeps what its copy of itself says, and that this copy is one
 * write behind is chance (recorded: rollout-default-20-percent keeps the newest at 7.08, the one before at 8.39). Those numbers
 * become `undefined` where they are one of the two.
 */
export function withoutStale(states: Counts[]): Counts[] {
  const same = (a: Counts, b: Counts | undefined): boolean =>
    a.numbers.updated === b?.numbers.updated && a.numbers.updatedAvailable === b?.numbers.updatedAvailable;
  return states.map((state, i) => {
    const copies = [states[i - 1], states[i - 2]].filter((one) => one !== undefined);
    if (!state.keeps || !copies.some((copy) => same(state, copy))) return state;
    return { ...state, numbers: { ...state.numbers, updated: undefined, updatedAvailable: undefined } };
  });
}
