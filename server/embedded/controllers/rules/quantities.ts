const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 0.001, µs: 0.001, ns: 0.000001 };

/** A Go duration ("1m30s", "-1s") in milliseconds, or undefined when it is none. */
export function durationMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^([+-]?)((?:\d+(?:\.\d+)?(?:h|ms|us|µs|ns|m|s))+|0)$/.exec(text.trim());
  if (match === null) return undefined;
  let total = 0;
  for (const [, value, unit] of (match[2] ?? '').matchAll(/(\d+(?:\.\d+)?)(h|ms|us|µs|ns|m|s)/g))
    total += Number(value) * (units[unit ?? ''] ?? 0);
  return match[1] === '-' ? -total : total;
}

/** Milliseconds as Go prints a duration: 1h0m0s, 1m30s, 12.5s, 800ms. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (Math.abs(ms) < 1000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = Number(((ms % 60_000) / 1000).toFixed(9));
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds}s`;
}

/** An int-or-percent resolved against a total, percentages rounded up. Undefined when it cannot be read. */
export function resolveIntOrPercent(value: number | string | undefined, total: number): number | undefined {
  if (typeof value === 'number') return value;
  const percent = /^(-?\d+)%$/.exec(value ?? '');
  return percent === null ? undefined : Math.ceil((Number(percent[1]) * total) / 100);
}
