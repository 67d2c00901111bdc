const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Years that stand for "no value" (Go's zero time) and "no limit". */
const noValueBefore = Date.UTC(1900, 0, 1);
const noLimitFrom = Date.UTC(9999, 0, 1);

/**
 * Epoch milliseconds of a Kubernetes time (Time, MicroTime, nanoseconds, any offset) or of a Date.
 * Undefined for what is no instant: null, text, a time without zone (never guessed as local), year 1, year 9999.
 */
export function parseTime(value: unknown): number | undefined {
  let ms: number;
  if (typeof value === 'string') {
    if (!rfc3339.test(value)) return undefined;
    ms = Date.parse(value);
  } else if (value instanceof Date) {
    ms = value.getTime();
  } else {
    return undefined;
  }
  return ms >= noValueBefore && ms < noLimitFrom ? ms : undefined;
}

export type DurationUnit = 'ms' | 's' | 'm' | 'h' | 'd' | 'y';
export interface DurationPart {
  /** Digits, padded as shown: '14', '08', '9.0'. */
  number: string;
  unit: DurationUnit;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365.25 * day;

/**
 * One or two number+unit parts, largest first: `320 ms`, `9.0 s`, `48 s`, `14m 08s`, `2h 35m`, `2d 03h`, `120 d`, `100 y`.
 * Truncates, so that a limit is never shown as passed before it is. Negative counts as 0; not a number has no parts.
 * `whole` leaves out milliseconds and tenths, for numbers that tick.
 */
export function formatDuration(ms: number, opts: { whole?: boolean } = {}): DurationPart[] {
  if (!Number.isFinite(ms)) return [];
  const t = Math.max(0, ms);
  if (t < second && !opts.whole) return [{ number: String(Math.floor(t)), unit: 'ms' }];
  if (t < 10 * second && !opts.whole) return [{ number: (Math.floor(t / 100) / 10).toFixed(1), unit: 's' }];
  if (t < minute) return [{ number: String(Math.floor(t / second)), unit: 's' }];
  if (t < hour) return pair(t, minute, 'm', second, 's');
  if (t < day) return pair(t, hour, 'h', minute, 'm');
  if (t < 100 * day) return pair(t, day, 'd', hour, 'h');
  if (t < 2 * year) return [{ number: String(Math.floor(t / day)), unit: 'd' }];
  return [{ number: String(Math.floor(t / year)), unit: 'y' }];
}

/** The parts as the look writes them when the language has no words of its own; '–' when there are none. */
export function durationText(parts: DurationPart[]): string {
  const [only, second] = parts;
  if (!only) return '–';
  return second ? `${only.number}${only.unit} ${second.number}${second.unit}` : `${only.number} ${only.unit}`;
}

function pair(t: number, big: number, bigUnit: DurationUnit, small: number, smallUnit: DurationUnit): DurationPart[] {
  return [
    { number: String(Math.floor(t / big)), unit: bigUnit },
    { number: String(Math.floor((t % big) / small)).padStart(2, '0'), unit: smallUnit },
  ];
}
