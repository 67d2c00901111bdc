import { nearestRank } from '@/lib/domain/nearest-rank';

/** One line of the report. */
export interface Figure {
  name: string;
  /** Null when it could not be measured; {@link why} then says the reason. */
  value: number | null;
  unit: string;
  /** The most it may be (architecture 6); null where nothing is promised. */
  budget: number | null;
  /** The same as a plain watch client of the same API server saw it in the same time. */
  reference: number | null;
  /** Value to reference. */
  ratio: number | null;
  /** Null without a budget. What was not measured is not within it. */
  ok: boolean | null;
  why?: string;
}

interface Beside {
  budget?: number | undefined;
  reference?: number | undefined;
  /** Why there is no value, should there be none. */
  why?: string;
}

/** A measured figure, rounded to what is worth reading; an unmeasured one when `value` is undefined or no number. */
export function figure(
  name: string,
  unit: string,
  value: number | undefined,
  { budget, reference, why = 'nothing was seen to measure' }: Beside = {},
): Figure {
  if (value === undefined || !Number.isFinite(value)) return unmeasured(name, unit, why, budget);
  return {
    name,
    value: readable(value),
    unit,
    budget: budget ?? null,
    reference: reference === undefined ? null : readable(reference),
    ratio: reference === undefined || reference === 0 ? null : readable(value / reference),
    ok: budget === undefined ? null : value <= budget,
  };
}

/** A figure that could not be measured. */
export function unmeasured(name: string, unit: string, why: string, budget?: number): Figure {
  const ok = budget === undefined ? null : false;
  return { name, value: null, unit, budget: budget ?? null, reference: null, ratio: null, ok, why };
}

/** Whole numbers from 100 on, else three digits. */
function readable(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

/** The value that a share (0 to 1) of all are not above, as one of them: nearest rank. Undefined for none. */
export const percentile = (values: readonly number[], share: number): number | undefined =>
  nearestRank(
    values.toSorted((a, b) => a - b),
    share,
  );

/**
 * How much a sampled size has grown: the median of the last third against that of the first third, since memory
 * that is collected goes up and down by itself. Undefined for fewer than three samples.
 */
export function growth(samples: readonly number[]): number | undefined {
  const third = Math.floor(samples.length / 3);
  const before = percentile(samples.slice(0, third), 0.5);
  const after = third === 0 ? undefined : percentile(samples.slice(-third), 0.5);
  return before === undefined || after === undefined ? undefined : after - before;
}

const heads = ['', '', '', 'budget', 'plain watch', 'ratio', ''];
/** Name, unit and verdict are texts, the rest are numbers. */
const toRight = [false, true, false, true, true, true, false];

/** The report as aligned text. */
export function table(figures: readonly Figure[]): string {
  const lines = [heads, ...figures.map(cells)];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, column) =>
          toRight[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cells({ name, value, unit, budget, reference, ratio, ok, why }: Figure): string[] {
  const verdict = ok === null ? '' : ok ? 'ok' : 'OVER';
  return [
    name,
    value === null ? '–' : number(value),
    unit,
    budget === null ? '' : `≤ ${number(budget)}`,
    reference === null ? '' : number(reference),
    ratio === null ? '' : number(ratio),
    value === null ? `not measured: ${why ?? ''}` : verdict,
  ];
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
