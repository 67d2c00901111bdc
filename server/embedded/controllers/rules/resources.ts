import { parseQuantity } from '../../quantity';
import type { Container, Pod } from '../client/objects';

type Quantities = Record<string, string>;
export type Resources = NonNullable<Container['resources']>;

/** A Kubernetes quantity (`500m`, `1Gi`, `2`) as a number; NaN when it is none, which compares with nothing. */
export const quantity = (text: string): number => parseQuantity(text) ?? Number.NaN;

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
