/** A sample of a phase: how many are in it, and how many of them are past a limit. `at` in epoch ms. */
export type RibbonSample = { at: number; count: number; overdue: number };

const height = 20;
/** Room kept above the highest value. */
const top = 3;

/**
 * Counts of one phase over time on their own scale, the overdue share filled red. `from` and `to` bound the
 * time shown (epoch ms); time without samples stays empty. Decorative: the numbers beside it say the same.
 */
export function PhaseRibbon({ samples, from, to }: { samples: readonly RibbonSample[]; from: number; to: number }) {
  const most = Math.max(1, ...samples.map((sample) => sample.count));
  const x = (at: number) => (((at - from) / Math.max(1, to - from)) * 100).toFixed(1);
  const y = (count: number) => (height - (count / most) * (height - top)).toFixed(1);
  const line = (value: (sample: RibbonSample) => number) =>
    samples.map((sample, index) => `${index === 0 ? 'M' : 'L'}${x(sample.at)} ${y(value(sample))}`).join('');
  const first = samples[0];
  const last = samples.at(-1);
  const area = (path: string) => (first && last ? `${path}L${x(last.at)} ${height}L${x(first.at)} ${height}Z` : '');
  const counts = line((sample) => sample.count);
  const anyOverdue = samples.some((sample) => sample.overdue > 0);
  return (
    <svg className="sp" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      <path d="M0 20H100" stroke="var(--line-1)" vectorEffect="non-scaling-stroke" />
      {first && last ? (
        <>
          <path d={area(counts)} fill="var(--band)" />
          {anyOverdue ? <path d={area(line((sample) => sample.overdue))} fill="var(--breach)" /> : null}
          <path
            d={counts}
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
