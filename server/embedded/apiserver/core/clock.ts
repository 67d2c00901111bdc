let skewMs = 0;

/** The time (epoch milliseconds) as the API servers of this process tell it. */
export const now = (): number => Date.now() + skewMs;

export const isSkewed = (): boolean => skewMs !== 0;

/** Lets that clock run ahead of the machine's, or behind it. */
export function skewClock(milliseconds: number): void {
  skewMs = milliseconds;
}
