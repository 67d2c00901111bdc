import { z } from 'zod';
import { intOrPercent } from './rows';

/** At most as many sandboxes as one operation may name one by one. */
export const maxSelected = 5_000;

/** Names become parts of the API server's paths: nothing but a name of Kubernetes goes through. */
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const namespaceName = z
  .string()
  .max(63)
  .regex(new RegExp(`^${label}$`), { error: 'This is no namespace.' });
const objectName = z
  .string()
  .max(253)
  .regex(new RegExp(`^${label}(\\.${label})*$`), { error: 'This is no name of a Kubernetes object.' });

/** In the text of a selector, other characters would say something else. */
const labelPart = '([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)';
const labelValue = z
  .string()
  .max(63)
  .regex(new RegExp(`^${labelPart}?$`), { error: 'This is no value of a label.' });
const labelKey = z
  .string()
  .max(317)
  .regex(new RegExp(`^(${label}(\\.${label})*/)?${labelPart}$`), { error: 'This is no key of a label.' });

/** metav1.LabelSelector; an empty one matches everything in the namespace. */
export const anyLabelSelector = z.strictObject({
  matchLabels: z.record(labelKey, labelValue).optional(),
  matchExpressions: z
    .array(
      z.strictObject({
        key: labelKey,
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: z.array(labelValue).optional(),
      }),
    )
    .optional(),
});
/** The same of an operation that the console makes: an empty one is refused. */
export const labelSelector = anyLabelSelector.refine(
  ({ matchLabels = {}, matchExpressions = [] }) => Object.keys(matchLabels).length + matchExpressions.length > 0,
  { error: 'Name at least one label: an empty selector takes every sandbox of the namespace.' },
);
export type LabelSelector = z.infer<typeof labelSelector>;

/** A sandbox as it was chosen: another object of the same name is another sandbox. */
export const chosenSandbox = z.object({ uid: z.string().min(1), name: objectName });
export type ChosenSandbox = z.infer<typeof chosenSandbox>;

/**
 * Which sandboxes an operation shall take. `selection` are single ones, which no label tells from the others: the console
 * puts the label {@link selectionLabel} on them first, with the operation's name, and selects by that.
 */
export const upgradeTargets = z.discriminatedUnion('by', [
  z.object({ by: z.literal('pool'), pool: labelValue.min(1) }),
  z.object({ by: z.literal('labels'), selector: labelSelector }),
  z.object({ by: z.literal('selection'), sandboxes: z.array(chosenSandbox).min(1).max(maxSelected) }),
]);
export type UpgradeTargets = z.infer<typeof upgradeTargets>;
export const selectionLabel = 'console.agents.kruise.io/upgrade';

/** An exec hook of spec.lifecycle; without timeoutSeconds the controller waits 60 s (domain 4.6). */
export const upgradeHook = z.object({
  command: z.array(z.string()).min(1),
  timeoutSeconds: z.number().int().min(1).max(86_400).optional(),
});
export type UpgradeHook = z.infer<typeof upgradeHook>;

/** A strategic merge patch on the Pod template of each sandbox. */
const podTemplatePatch = z.record(z.string(), z.unknown());

/**
 * What an operation changes. `restore` brings back what the sandboxes had before an earlier operation: the patch is made on
 * the server, so that values which the browser sees masked come back whole. `none`: hooks only.
 */
export const upgradeChange = z.discriminatedUnion('by', [
  z.object({ by: z.literal('patch'), patch: podTemplatePatch }),
  z.object({
    by: z.literal('restore'),
    /** The earlier operation, and which of its groups of sandboxes (see {@link upgradeHistoryReply}). */
    operation: z.object({ uid: z.string().min(1), name: z.string().min(1) }),
    group: z.string().min(1),
  }),
  z.object({ by: z.literal('none') }),
]);
export type UpgradeChange = z.infer<typeof upgradeChange>;

/** When the console shall pause an operation by itself: at either limit. */
export const guardLimits = z
  .object({
    /** Failed sandboxes. */
    failures: z.number().int().min(1).optional(),
    /** Failed among those that ended, percent; counts from the fifth that ended. */
    ratePercent: z.number().int().min(1).max(100).optional(),
  })
  .refine(({ failures, ratePercent }) => failures !== undefined || ratePercent !== undefined, {
    error: 'Set a number of failures, a failure rate, or both.',
  });
export type GuardLimits = z.infer<typeof guardLimits>;
/** Below this many ended sandboxes a rate says nothing. */
export const rateCountsFrom = 5;

/** Everything that makes one SandboxUpdateOps, as the four steps of the form collect it. */
export const upgradeDraft = z.object({
  namespace: namespaceName,
  name: z
    .string()
    .min(1)
    .max(63)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, {
      error: 'Use lower case letters, digits and hyphens; begin and end with a letter or digit.',
    }),
  targets: upgradeTargets,
  /** spec.stateFilter.states */
  states: z.array(z.enum(['Running', 'Paused'])).min(1),
  change: upgradeChange,
  strategy: z.enum(['Recreate', 'CheckpointRestore']),
  maxUnavailable: intOrPercent.refine(
    (value) => (typeof value === 'number' ? value >= 1 : /^([1-9]\d?|100)%$/.test(value)),
    { error: 'Give a number of at least 1, or a percentage from 1% to 100%.' },
  ),
  preUpgrade: upgradeHook.optional(),
  postUpgrade: upgradeHook.optional(),
  /** Created paused: adopts nothing until it is continued. */
  paused: z.boolean().default(false),
  guard: guardLimits.optional(),
});
export type UpgradeDraft = z.infer<typeof upgradeDraft>;

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
    'noCheckpointController',
    'patchNotMergeable',
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
  /** The parser's or the API server's own words. */
  detail: z.string().optional(),
});
export type PlanProblem = z.infer<typeof planProblem>;

export const upgradePreviewReply = z.object({
  time: z.number(),
  /** As `kubectl -l` takes it; what spec.selector will be. */
  selector: z.string(),
  /** In the controller's order: by name. */
  targets: z.array(upgradeTarget),
  leftOut: z.array(chosenSandbox.extend({ reason: leftOutReason, detail: z.string().optional() })),
  groups: z.array(templateGroup),
  problems: z.array(planProblem),
  /** Operations of the namespace that the webhook counts as active, the one that works first. */
  active: z.array(z.string()),
});
export type UpgradePreviewReply = z.infer<typeof upgradePreviewReply>;

const write = { dryRun: z.boolean().default(false), reason: z.string().max(500).optional() };
const target = { ...write, uid: z.string().min(1) };

/**
 * `POST /api/v1/upgrades`. `frozen` is the list that the person saw: when the selector matches another one by now, nothing is
 * sent.
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
  /** Checkpoints of adopted sandboxes, by the sandbox's uid. */
  checkpoints: z.record(z.string(), z.object({ name: z.string(), phase: z.string(), id: z.string().optional() })),
});
export type UpgradeHistoryReply = z.infer<typeof upgradeHistoryReply>;

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

export const leftoverKinds = ['upgradePolicy', 'failedLabel', 'selectionLabel'] as const;
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
