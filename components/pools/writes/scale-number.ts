/** A jump that may be a slip of the finger: more than 20 sandboxes and at least five times as many, or a fifth. */
export function isLargeJump(from: number, to: number): boolean {
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  return high - low > 20 && high >= 5 * Math.max(low, 1);
}

/** What has to be confirmed before it is sent; up a little is not. */
export function needsConfirmation(from: number, to: number): 'zero' | 'jump' | undefined {
  if (to === 0 && from > 0) return 'zero';
  return isLargeJump(from, to) ? 'jump' : undefined;
}

/** Upper end of the slider: about three times what is there, in round steps, and never less than what was typed. */
export function sliderMax(from: number, to: number): number {
  const wanted = Math.max(3 * from, to, 10);
  const step = 10 ** Math.max(1, Math.floor(Math.log10(wanted)) - 1);
  return Math.ceil(wanted / step) * step;
}
