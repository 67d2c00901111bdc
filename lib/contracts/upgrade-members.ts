import { z } from 'zod';
import { leftOutReason } from './upgrade-preview';
import { chosenSandbox } from './upgrades';

/**
 * `GET /api/v1/upgrades/{namespace}/{name}/members`: what the operation's selector matches and what no row says: those that are
 * not adopted. Its counts know nothing of `leftOut`.
 */
export const upgradeMembersReply = z.object({
  time: z.number(),
  /** Adopted when a slot is free, in the controller's order. Of an operation that is over: they match now, and were passed over. */
  waiting: z.array(chosenSandbox),
  leftOut: z.array(chosenSandbox.extend({ reason: leftOutReason, detail: z.string().optional() })),
});
export type UpgradeMembersReply = z.infer<typeof upgradeMembersReply>;

/** Operations that may be asked for at once. */
export const mostCounted = 50;

/** `GET /api/v1/upgrades/current?operations=namespace/name,…`: sandboxes that are up to date already, which no count of theirs has. */
export const upgradeCurrentReply = z.object({
  time: z.number(),
  /** By `namespace/name`; of one that cannot be seen, nothing. */
  counts: z.record(z.string(), z.number().int()),
});
export type UpgradeCurrentReply = z.infer<typeof upgradeCurrentReply>;
