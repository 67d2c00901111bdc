import type { Container, Pod } from '../client/objects';

type Quantities = Record<string, string>;
export type Resources = NonNullable<Container['resources']>;

// Divided by, so that 700m is exactly 0.7.
const parts: Record<string, number> = { n: 1e9, u: 1e6, m: 1e3 };
const scales: Record<string, number> = {
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

/** A Kubernetes quantity (`500m`, `1Gi`, `2`) as a number; NaN when it is none. */
export function quantity(text: string): number {
  const [, digits = '', unit = ''] = /^([+-]?[0-9.]+(?:e[+-]?[0-9]+)?)([a-zA-Z]*)$/.exec(text) ?? [];
  if (digits === '') return Number.NaN;
  const part = parts[unit];
  return part === undefined ? Number(digits) * (scales[unit] ?? Number.NaN) : Number(digits) / part;
}

/** Whether everything that is wanted is there, in that amount or more; what is there beside it does not count. */
export const covers = (actual: Resources | undefined, wanted: Resources | undefined): boolean =>
  (['limits', 'requests'] as const).every((kind) =>
    Object.entries(wanted?.[kind] ?? {}).every(
      ([name, amount]) => quantity(actual?.[kind]?.[name] ?? '') >= quantity(amount),
    ),
  );

export type QosClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

/** The quality-of-service class that Kubernetes gives to a Pod with these containers, init containers included. */
export function qosClass(containers: Container[]): QosClass {
  const requests: Record<string, number> = {};
  const limits: Record<string, number> = {};
  let guaranteed = true;
  for (const { resources } of containers) {
    addTo(requests, resources?.requests);
    addTo(limits, resources?.limits);
    if (!['cpu', 'memory'].every((name) => quantity(resources?.limits?.[name] ?? '0') > 0)) guaranteed = false;
  }
  if (Object.keys(requests).length + Object.keys(limits).length === 0) return 'BestEffort';
  const equal = Object.entries(requests).every(([name, amount]) => limits[name] === amount);
  const same = Object.keys(requests).length === Object.keys(limits).length;
  return guaranteed && equal && same ? 'Guaranteed' : 'Burstable';
}

function addTo(sum: Record<string, number>, amounts: Quantities | undefined): void {
  for (const name of ['cpu', 'memory']) {
    const amount = quantity(amounts?.[name] ?? '0');
    if (amount > 0) sum[name] = (sum[name] ?? 0) + amount;
  }
}

export const allContainers = ({ spec }: Pod): Container[] => [
  ...(spec.containers ?? []),
  ...(spec.initContainers ?? []),
];
