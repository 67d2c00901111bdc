import type { Limits } from './limits';

export const warnNotch = 0.4;
export const breachNotch = 0.7;

/**
 * Where a duration stands on the rail, 0..1: linear to the warn notch, linear to the breach notch, then
 * logarithmic up to ten times the breach, where it ends (design/look/README.md).
 */
export function railPosition(ms: number, { warn, breach }: Limits): number {
  if (!(ms > 0)) return 0;
  if (ms <= warn) return (ms / warn) * warnNotch;
  if (ms <= breach) return warnNotch + ((ms - warn) / (breach - warn)) * (breachNotch - warnNotch);
  return Math.min(1, breachNotch + Math.log10(ms / breach) * (1 - breachNotch));
}
