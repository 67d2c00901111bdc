import { z } from 'zod';
import { intOrPercent } from './rows';
import { chosenSandbox, guardLimits, upgradeDraft } from './upgrades';

/** What every write takes. */
export const write = { dryRun: z.boolean().default(false), reason: z.string().max(500).optional() };
const target = { ...write, uid: z.string().min(1) };

/**
 * `POST /api/v1/upgrades`. `frozen` is the list that the person saw: when the selector matches more by now, nothing is sent.
 * What has gone since is missed by nobody.
 */
export const createUpgradeRequest = z.object({ ...write, draft: upgradeDraft, frozen: z.array(chosenSandbox).min(1) });
export type CreateUpgradeRequest = z.infer<typeof createUpgradeRequest>;

/** `POST /api/v1/upgrades/{namespace}/{name}/settings`: what may change while it runs; `from` is what the person saw. */
export const steerUpgradeRequest = z.object({
  ...target,
  change: z.discriminatedUnion('what', [
    z.object({ what: z.literal('paused'), from: z.boolean(), to: z.boolean() }),
    z.object({
      what: z.literal('maxUnavailable'),
      /** Absent: not set. */
      from: intOrPercent.optional(),
      to: upgradeDraft.shape.maxUnavailable,
    }),
  ]),
});
export type SteerUpgradeRequest = z.infer<typeof steerUpgradeRequest>;

/** `POST /api/v1/upgrades/{namespace}/{name}/delete` */
export const deleteUpgradeRequest = z.object(target);
export type DeleteUpgradeRequest = z.infer<typeof deleteUpgradeRequest>;

/** `POST /api/v1/upgrades/{namespace}/{name}/guard`; `limits` null takes it away. */
export const setGuardRequest = z.object({ uid: z.string().min(1), limits: guardLimits.nullable() });
export type SetGuardRequest = z.infer<typeof setGuardRequest>;

/** A guard as it stands: armed, or what became of it. */
export const upgradeGuard = z.object({
  limits: guardLimits,
  state: z.enum(['armed', 'fired', 'failed']),
  /** Who set it may not patch the operation, as the API server says: it could not pause. */
  unable: z.literal(true).optional(),
  setBy: z.string(),
  setAt: z.number(),
  /** When it paused the operation, or last tried to. */
  firedAt: z.number().optional(),
  /** Why it could not, in the API server's words; it goes on trying. */
  problem: z.string().optional(),
});
export type UpgradeGuard = z.infer<typeof upgradeGuard>;

export const setGuardReply = z.object({ guard: upgradeGuard.nullable() });
export type SetGuardReply = z.infer<typeof setGuardReply>;
