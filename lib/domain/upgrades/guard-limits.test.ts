import { expect, it } from 'vitest';
import { reachedLimit } from './guard-limits';

it.each([
  [{ failures: 2 }, { failed: 1, updated: 9 }, undefined],
  [{ failures: 2 }, { failed: 2 }, { limit: 'failures', failed: 2, ended: 2 }],
  [{ failures: 2 }, {}, undefined],
  // Four that ended say nothing of a rate, the fifth does.
  [{ ratePercent: 20 }, { failed: 4 }, undefined],
  [{ ratePercent: 20 }, { failed: 1, updated: 4 }, { limit: 'rate', failed: 1, ended: 5 }],
  [{ ratePercent: 21 }, { failed: 1, updated: 4 }, undefined],
  [{ ratePercent: 1 }, { failed: 0, updated: 100 }, undefined],
  [
    { failures: 9, ratePercent: 50 },
    { failed: 3, updated: 3 },
    { limit: 'rate', failed: 3, ended: 6 },
  ],
])('%j of %j: %j', (limits, counts, reached) => {
  expect(reachedLimit(limits, counts)).toEqual(reached);
});
