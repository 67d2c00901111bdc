const SUFFIXES: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};
const NANO = 1e-9;

/** The amount of a resource quantity such as `100m` or `512Mi`, or undefined when it is none. */
export function parseQuantity(quantity: unknown): number | undefined {
  if (typeof quantity === 'number') return quantity;
  if (typeof quantity !== 'string') return undefined;
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/.exec(quantity);
  if (match === null) return undefined;
  const [, digits = '', exponent = '', suffix = ''] = match;
  const unit = SUFFIXES[suffix] ?? 1;
  // Divided by, so that 700m is exactly 0.7.
  return unit < 1 ? Number(digits + exponent) / Math.round(1 / unit) : Number(digits + exponent) * unit;
}

/** The words of Kubernetes for a text that is no quantity. */
export const NO_QUANTITY =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Why an object with these amounts cannot be read at all, in the decoder's words; null is no amount. */
export const quantityProblem = (amounts: readonly unknown[]): string | undefined =>
  amounts.every((amount) => amount === null || parseQuantity(amount) !== undefined) ? undefined : NO_QUANTITY;

/** How a quantity is written: in powers of 1024 (`512Mi`) or of 1000. */
export const isBinary = (quantity: unknown): boolean => typeof quantity === 'string' && quantity.endsWith('i');

/** An amount in canonical form: with the largest suffix that leaves a whole number (apimachinery's Quantity). */
export function formatQuantity(amount: number, binary: boolean): string {
  // Adding fractions leaves dust behind.
  const exact = Math.abs(amount) < 1e6 ? Math.round(amount * 1e9) / 1e9 : Math.round(amount);
  if (exact === 0) return '0';
  const isWhole = (unit: number) =>
    unit >= 1 ? exact % unit === 0 : Math.abs(exact / unit - Math.round(exact / unit)) < 1e-3;
  const suffixes = Object.entries(SUFFIXES).filter(([suffix]) =>
    binary && Math.abs(exact) >= 1024 ? suffix === '' || suffix.endsWith('i') : !suffix.endsWith('i'),
  );
  const fitting = suffixes.filter(([, unit]) => isWhole(unit) && Math.abs(exact / unit) >= 1);
  const [suffix, unit] = fitting.at(-1) ?? ['n', NANO];
  return `${Math.round(exact / unit)}${suffix}`;
}
