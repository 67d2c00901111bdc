import { z } from 'zod';
import { sandboxRow } from './rows';
import { upgradeGuard } from './upgrade-writes';
import { chosenSandbox, podTemplatePatch } from './upgrades';

/** Reasons of the Upgrading condition with the time each was seen, oldest first; as in the row of a sandbox. */
const upgradeSteps = sandboxRow.shape.steps.unwrap();

/** How a sandbox ceased to be with an operation. */
export const upgradeLeave = z.object({
  /** Epoch ms; of one that was not `seen`, when it was noticed: it left at some time before. */
  at: z.number(),
  /** Seen as it happened. */
  seen: z.boolean(),
  /** `taken`: by another operation. `released`: its label was removed. `deleted`: the sandbox is gone. */
  why: z.enum(['taken', 'released', 'deleted']),
  /** The operation that took it, by name. */
  to: z.string().optional(),
});
export type UpgradeLeave = z.infer<typeof upgradeLeave>;

/** A sandbox as the console's server last saw it with an operation. */
export const upgradeRecord = z.object({
  row: sandboxRow,
  /** When it became what `row` says, epoch ms of the cluster's clock. */
  at: z.number(),
  /** Absent: it is with the operation still, as far as is known. */
  left: upgradeLeave.optional(),
});
export type UpgradeRecord = z.infer<typeof upgradeRecord>;

/**
 * `GET /api/v1/upgrades/{namespace}/{name}/history`: what this console has seen or stored of an operation besides its row.
 * Where it was not watching, it knows nothing and says so.
 */
export const upgradeHistoryReply = z.object({
  time: z.number(),
  guard: upgradeGuard.nullable(),
  /** Sandboxes that had the same template before and have the same one now; secrets masked. */
  groups: z.array(
    z.object({
      key: z.string(),
      sandboxes: z.array(chosenSandbox),
      before: z.record(z.string(), z.unknown()),
      after: z.record(z.string(), z.unknown()),
      /** The patch that brings `before` back, masked; absent when no strategic merge patch can. */
      inverse: podTemplatePatch.optional(),
    }),
  ),
  /** Adopted sandboxes whose template before is not known. */
  unknown: z.array(chosenSandbox),
  /** Pods by the sandbox's uid: the one that was replaced and the one that runs, as far as they were seen. */
  pods: z.record(
    z.string(),
    z.object({
      before: z.object({ uid: z.string(), node: z.string().optional(), gone: z.number().optional() }).optional(),
      after: z.object({ uid: z.string(), node: z.string().optional(), since: z.number().optional() }).optional(),
    }),
  ),
  /** Those that are not with the operation any more, as they were last seen with it. */
  records: z.array(upgradeRecord.required({ left: true })),
  /** By the uid of those that still are with it: steps that were seen before this server started, which no row has. */
  steps: z.record(z.string(), upgradeSteps),
  /** Uids of failed ones whose Pod an earlier operation replaced without coming to its end: nothing of before is in it. */
  rebuilt: z.array(z.string()),
  /** Checkpoints of adopted sandboxes, by the sandbox's uid. */
  checkpoints: z.record(z.string(), z.object({ name: z.string(), phase: z.string(), id: z.string().optional() })),
});
export type UpgradeHistoryReply = z.infer<typeof upgradeHistoryReply>;
