import { z } from 'zod';

/**
 * What can be wrong with a strategic merge patch on a Pod template, or with the Pod that comes of it, and the values that
 * the sentence of each names. The sentences are the messages `upgrade-plan.patchFault`, in both languages. A value that is
 * not known is `none`.
 */
export const patchFaultValues = {
  notAnObject: ['got'],
  notAList: ['got'],
  notAnItem: ['got'],
  /** Items of the list are told apart by a field that is missing. */
  noMergeKey: ['key'],
  /** A word after `$patch` that is neither delete nor replace. */
  unknownDirective: ['got'],
  /** Another directive that is no list. */
  directiveNotAList: ['got'],
  retainLacks: ['field'],
  notUnited: ['field'],
  setAndTaken: ['field'],
  notPlain: [],
  noOrder: ['field'],
  orderKeys: ['key'],
  orderEmpty: [],
  orderPlace: ['item'],
  orderOfNothing: [],
  orderUncertain: [],
  /** A directive where nothing is that it could mean. */
  nothingToMean: [],
  nullInNew: [],
  directiveInNew: [],
  /** A field of the template that is of another type: the controller cannot read the result. */
  wrongType: ['expected', 'got'],
  /** No field of a Pod template: the controller drops it, and nothing changes. */
  unknownField: ['field', 'nearest'],
  /** The result has no container: no Pod can be made of it. */
  noContainers: [],
  imageGone: [],
  /** A container that is not there, and the one to be added has no image; mostly a slip in its name. */
  unknownContainer: ['there'],
  /** From here on: what the API server refuses of a Pod. */
  required: [],
  duplicate: ['value'],
  notAName: ['value'],
  notALabel: ['value'],
  notAQuantity: ['value'],
  negative: ['value'],
  aboveLimit: ['value', 'limit'],
  unknownResource: ['value'],
  noVolume: ['value', 'there'],
  manySources: ['value'],
  valueAndSource: [],
  edgeSpace: ['value'],
  notAPort: ['value'],
  notOneOf: ['value', 'allowed'],
} as const satisfies Record<string, readonly string[]>;
export type PatchFaultCode = keyof typeof patchFaultValues;
export type PatchFaultValues<C extends PatchFaultCode> = Record<(typeof patchFaultValues)[C][number], string>;

export const patchFault = z.object({
  /** As people write it: `spec.containers[python].env[2]`; '' is the patch itself. */
  path: z.string(),
  code: z.enum(Object.keys(patchFaultValues) as PatchFaultCode[]),
  values: z.record(z.string(), z.string()),
  /** The same in English: for scripts and logs. */
  message: z.string(),
});
export type PatchFault = z.infer<typeof patchFault>;
