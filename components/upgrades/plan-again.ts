import { z } from 'zod';
import type { KubeObject } from '@/lib/contracts/objects';
import { labelSelector } from '@/lib/contracts/upgrades';
import { draftLike, readOperation } from '@/lib/domain/upgrades/operation-reading';
import type { HandedOver } from './plan/hand-over';

const selecting = z.looseObject({ selector: labelSelector });

/** The plan that an operation came from, under the next name; undefined for one that selects everything. */
export function planAgain(object: KubeObject): HandedOver | undefined {
  const operation = readOperation(object);
  const { data } = selecting.safeParse(object.spec);
  if (!operation || !data) return undefined;
  const targets = { by: 'labels' as const, selector: data.selector };
  return draftLike(operation, targets, 'withPatch', ['preUpgrade', 'postUpgrade']);
}
