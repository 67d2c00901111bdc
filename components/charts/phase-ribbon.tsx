/** A sample of a phase: how many are in it, and how many of them are past a limit. `at` in epoch ms. */
export type RibbonSample = { at: number; count: number; overdue: number };

const height = 20;
/** Room kept above the highest value. */
const top = 3;

/**
 * Counts of one phase over time on their own scale, the overdue share filled red. `from` and `to` bound the
 * time shown (epoch ms); time without samples stays empty, and so do `gaps`, in which nobody watched. Decorative:
 * the numbers beside it say the same.
 */
export function PhaseRibbon({
  samples,
  gaps,
  from,
  to,
}: {
  samples: readonly RibbonSample[];
  gaps: readonly { from: number; to: number }[];
  from: number;
  to: number;
}) {
  const most = Math.max(1, ...samples.map((sample) => sample.count));
  const x = (at: number) => (((at - from) / Math.max(1, to - from)) * 100).toFixed(1);
  const y = (count: number) => (height - (count / most) * (height - top)).toFixed(1);
  const runs = runsOf(samples, gaps);
  const line = (value: (sample: RibbonSample) => number) => (run: readonly RibbonSample[]) =>
    run.map((sample, index) => `${index === 0 ? 'M' : 'L'}${x(sample.at)} ${y(value(sample))}`).join('');
  const area = (value: (sample: RibbonSample) => number) => (run: readonly RibbonSample[]) =>
    `${line(value)(run)}L${x(run.at(-1)?.at ?? from)} ${height}L${x(run[0]?.at ?? from)} ${height}Z`;
  const countOf = ({ count }: RibbonSample) => count;
  const overdueOf = ({ overdue }: RibbonSample) => overdue;
  const anyOverdue = samples.some((sample) => sample.overdue > 0);
  return (
    <svg className="sp" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      <path d="M0 20H100" stroke="var(--line-1)" vectorEffect="non-scaling-stroke" />
      {samples.length > 0 ? (
        <>
          <path d={runs.map(area(countOf)).join('')} fill="var(--band)" />
          {anyOverdue ? <path d={runs.map(area(overdueOf)).join('')} fill="var(--breach)" /> : null}
          <path
            d={runs.map(line(countOf)).join('')}
            fill="none"
            stroke="var(--fg-3)"
            strokeWidth="1.25"
            vectorEffect="non-scaling-stroke"
            strokeLinejoin="round"
          />
        </>
      ) : null}
    </svg>
  );
}

/** Samples between which the console watched all the time. */
function runsOf(
  samples: readonly RibbonSample[],
  gaps: readonly { from: number; to: number }[],
): readonly RibbonSample[][] {
  const runs: RibbonSample[][] = [];
  let before: number | undefined;
  for (const sample of samples) {
    const torn = gaps.some((gap) => before !== undefined && gap.to > before && gap.from < sample.at);
    if (before === undefined || torn) runs.push([]);
    runs.at(-1)?.push(sample);
    before = sample.at;
  }
  return runs;
}
