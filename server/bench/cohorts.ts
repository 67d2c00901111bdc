import { cohortsOf } from '@/lib/domain/cohorts';
import { standardLimits } from '@/lib/domain/limits';
import { ago, now, sandbox } from '@/lib/domain/rows.testing';
import { type Figure, figure } from './figures';

const stuck = 5_000;

/** Grouping thousands of stuck sandboxes, which the page does again with every change: of the processor, the best of several. */
export function measureCohorts(): Figure[] {
  const rows = Array.from({ length: stuck }, (_, i) =>
    sandbox({
      state: 'Resuming',
      phase: 'Resuming',
      cause: { code: 'InitImageMismatch', never: true, image: 'reg/runtime:v1@sha256:9f…' },
      node: `n-${i % 200}`,
      pool: `p-${i % 20}`,
      hash: `h-${i % 3}`,
      since: ago(60 + (i % 900)),
      claimed: true,
    }),
  );
  const times = Array.from({ length: 9 }, () => {
    const before = process.cpuUsage();
    cohortsOf(rows, ['node'], now, standardLimits);
    return process.cpuUsage(before).user / 1_000;
  });
  return [figure(`cohorts of ${stuck} stuck`, 'ms', Math.min(...times), { budget: 10 })];
}
