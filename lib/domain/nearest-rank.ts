/** Of values from small to large, the one that a share (0 to 1) of them is not above: nearest rank. Undefined for none. */
export const nearestRank = (sorted: readonly number[], share: number): number | undefined =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
