import type { PatchFault } from '@/lib/contracts/patch-fault';
import { isObject } from '../json-diff';
import { parseQuantity } from '../quantities';
import { faultAt } from './patch-fault';

type Fields = Record<string, unknown>;

export function quantityFault(value: unknown, path: string): PatchFault | undefined {
  const quantity = parseQuantity(value);
  if (quantity === undefined) return faultAt(path, 'notAQuantity', { value: String(value) });
  return quantity < 0 ? faultAt(path, 'negative', { value: String(value) }) : undefined;
}

/** Names of resources without a domain are Kubernetes' own, and these are all. */
const isResource = (name: string): boolean =>
  name.includes('/') || ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-');

/** What is wrong with the resources of a container at `path`. */
export function* resourceFaults(resources: unknown, path: string): Generator<PatchFault> {
  if (!isObject(resources)) return;
  const side = (kind: string): Fields => (isObject(resources[kind]) ? resources[kind] : {});
  const limits = side('limits');
  for (const kind of ['requests', 'limits']) {
    for (const [name, value] of Object.entries(side(kind))) {
      const at = `${path}.${kind}.${name}`;
      const fault = isResource(name) ? quantityFault(value, at) : faultAt(at, 'unknownResource', { value: name });
      if (fault) yield fault;
      else if (kind === 'requests' && isMore(value, limits[name])) {
        yield faultAt(at, 'aboveLimit', { value: String(value), limit: String(limits[name]) });
      }
    }
  }
}

function isMore(request: unknown, limit: unknown): boolean {
  const [wanted, most] = [parseQuantity(request), parseQuantity(limit)];
  // 100m is one tenth only as nearly as a number can be that.
  return wanted !== undefined && most !== undefined && wanted > most * (1 + 1e-9);
}
