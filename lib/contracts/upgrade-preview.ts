import { z } from 'zod';
import { patchFault } from './patch-fault';
import { chosenSandbox, upgradeDraft } from './upgrades';

/** Why a sandbox that is looked at is not taken (domain 6.2). */
export const leftOutReasons = [
  /** Not claimed: a member of its pool, which the pool itself rolls. */
  'poolMember',
  'terminating',
  /** Phase Succeeded or Failed. */
  'terminal',
  /** Paused, and the operation takes running ones only; or the reverse. */
  'stateNotChosen',
  /** Paused, but its Pod is not gone yet; or being resumed: the controller passes over it without a word (T12). */
  'stillPausing',
  /** Any other phase, which may not become a candidate. */
  'otherPhase',
  /** The change makes no difference: counted nowhere by the controller. */
  'upToDate',
  /** Works for another operation that is not over. */
  'otherOperation',
  /** spec.templateRef and no template to patch: it would be updating for ever (T11). */
  'templateRef',
  /** The patch cannot be merged onto its template (T50). */
  'unmergeable',
  /** It was chosen, and is gone or replaced by another of its name. */
  'gone',
] as const;

export const leftOutReason = z.enum(leftOutReasons);
export type LeftOutReason = z.infer<typeof leftOutReason>;

/** Those that the operation takes all the same, if its selector matches them: they stop the console, not the controller. */
export const takenAllTheSame: readonly LeftOutReason[] = ['templateRef', 'unmergeable'];

export const upgradeTarget = chosenSandbox.extend({
  /** Key of the template group it belongs to. */
  group: z.string(),
  phase: z.string(),
  claimed: z.boolean(),
  owner: z.string().optional(),
  node: z.string().optional(),
  /** spec.shutdownTime, epoch ms. */
  shutdownAt: z.number().optional(),
  /** Lacks the agent runtime that hooks are run by (T46). */
  noRuntime: z.literal(true).optional(),
  /** Failed in an earlier operation, and neither change nor hooks differ from what it has: it fails at once again (T43). */
  identicalRetry: z.literal(true).optional(),
  /** It was chosen by itself, and works for this operation, which is not over: it is free when that is gone. */
  heldBy: z.string().optional(),
});
export type UpgradeTarget = z.infer<typeof upgradeTarget>;

/**
 * Sandboxes with the same template, and what becomes of it; secrets are masked on both sides. Labels and annotations that a
 * claim wrote do not tell them apart: those shown are of the sample.
 */
export const templateGroup = z.object({
  key: z.string(),
  count: z.number().int(),
  sample: z.string(),
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
});
export type TemplateGroup = z.infer<typeof templateGroup>;

/** `POST /api/v1/upgrades/preview`: a draft that need not have a name or a change yet. */
export const upgradePreviewRequest = upgradeDraft.partial({ name: true, change: true, maxUnavailable: true });
export type UpgradePreviewRequest = z.infer<typeof upgradePreviewRequest>;

/** Something the API server, the controller or the rules will refuse, known before sending. */
export const planProblem = z.object({
  code: z.enum([
    'nothingMatches',
    'imageWithCheckpoint',
    'noCheckpointKind',
    'noCheckpointController',
    'checkpointWaits',
    'checkpointsUnknown',
    'patchNotMergeable',
    /** No field of a Pod template: it would be dropped, and nothing changes. */
    'unknownField',
    /** The API server will refuse the Pods that come of it: the old ones are gone by then. */
    'podRefused',
    /** Mostly a slip in a name: the patch would add a container. */
    'addsContainer',
    'hookWithoutRuntime',
    'lifecycleOnlyNeverEnds',
    'identicalRetry',
    'templateRef',
    'nameTaken',
    'namespaceLocked',
    'nothingChanges',
    'historyUnknown',
  ]),
  /** `stops`: it is not sent. `warns`: it is the person's decision. */
  weight: z.enum(['stops', 'warns']),
  /** Containers, sandboxes or operations it is about, at most twenty. */
  names: z.array(z.string()),
  /** How many there are in all. */
  count: z.number().int(),
  /** The API server's own words. */
  detail: z.string().optional(),
  /** What is wrong with the patch, or with the Pods that come of it, by field. */
  faults: z.array(patchFault).optional(),
});
export type PlanProblem = z.infer<typeof planProblem>;

export const upgradePreviewReply = z.object({
  time: z.number(),
  /** As `kubectl -l` takes it; what spec.selector will be. */
  selector: z.string(),
  /** In the controller's order: by name. */
  targets: z.array(upgradeTarget),
  leftOut: z.array(
    /** `detail` is a phase or the name of an operation. */
    chosenSandbox.extend({ reason: leftOutReason, detail: z.string().optional(), fault: patchFault.optional() }),
  ),
  groups: z.array(templateGroup),
  problems: z.array(planProblem),
  /** Operations of the namespace that the webhook counts as active, the one that works first. */
  active: z.array(z.string()),
});
export type UpgradePreviewReply = z.infer<typeof upgradePreviewReply>;
