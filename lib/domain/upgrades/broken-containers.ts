import type { PatchFault } from '@/lib/contracts/patch-fault';
import { isObject } from '../json-diff';
import type { Template } from '../templates';
import { faultAt } from './patch-fault';

/** What a merge accepts and no Pod can be made of; what was so before is not blamed on the patch. */
export function brokenContainers(before: Template, after: Template): PatchFault | undefined {
  if (containersOf(before, 'containers').length > 0 && containersOf(after, 'containers').length === 0) {
    return faultAt('spec.containers', 'noContainers', {});
  }
  for (const list of ['containers', 'initContainers'] as const) {
    const images = new Map(containersOf(before, list).map(({ name, image }) => [name, image]));
    const broken = containersOf(after, list).find(
      ({ name, image }) => isEmpty(image) && !(images.has(name) && isEmpty(images.get(name))),
    );
    if (broken === undefined) continue;
    const there = images.size === 0 ? 'none' : [...images.keys()].join(', ');
    const at = `spec.${list}[${String(broken.name)}]`;
    return images.has(broken.name) ? faultAt(at, 'imageGone', {}) : faultAt(at, 'unknownContainer', { there });
  }
  return undefined;
}

const isEmpty = (image: unknown): boolean => (image ?? '') === '';

function containersOf({ spec }: Template, list: 'containers' | 'initContainers'): Record<string, unknown>[] {
  const items = isObject(spec) ? spec[list] : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}
