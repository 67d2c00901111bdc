import { z } from 'zod';
import { namespaceName } from './names';
import { write } from './upgrade-writes';
import { chosenSandbox } from './upgrades';

/** `hooks` is spec.lifecycle. */
export const leftoverKinds = ['upgradePolicy', 'hooks', 'failedLabel', 'selectionLabel'] as const;

export const leftoverKind = z.enum(leftoverKinds);
export type LeftoverKind = z.infer<typeof leftoverKind>;

/** `POST /api/v1/upgrades/leftovers`: takes away what ended operations left on sandboxes (T13, T44, T56). */
export const cleanLeftoversRequest = z.object({
  ...write,
  namespace: namespaceName,
  items: z
    .array(chosenSandbox.extend({ remove: z.array(leftoverKind).min(1) }))
    .min(1)
    .max(500),
});
export type CleanLeftoversRequest = z.infer<typeof cleanLeftoversRequest>;

/** One outcome a sandbox; those that were refused say why, in the API server's words. */
export const cleanLeftoversReply = z.object({
  items: z.array(
    chosenSandbox.extend({
      result: z.enum(['accepted', 'unchanged', 'refused', 'unknown']),
      message: z.string().optional(),
    }),
  ),
});
export type CleanLeftoversReply = z.infer<typeof cleanLeftoversReply>;
