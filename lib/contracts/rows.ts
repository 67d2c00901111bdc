import { z } from 'zod';

/**
 * Rows are what lists stream: what columns, filters and counts need, at most about 400 bytes each.
 * Absent means "the object does not say", never "zero" or "false". Times are epoch milliseconds of the
 * clock that wrote them. Names and phases are passed through as text: a newer controller may send others.
 */

const text = z.string();
const count = z.number().int();
const time = z.number();

/** Where the start of a duration comes from; `unknown` has no start and is drawn with a torn edge. */
export const sinceSource = z.enum(['condition', 'created', 'observed', 'event', 'unknown']);
export type SinceSource = z.infer<typeof sinceSource>;

/**
 * The state the console shows (design/interface.md section 0), derived from the whole object.
 * `Other` is a phase this console does not know: shown as its raw text, never as healthy.
 */
export const displayStates = [
  'Creating',
  'Available',
  'Running',
  'NotReady',
  'Pausing',
  'Paused',
  'Resuming',
  'Initialising',
  'Upgrading',
  'Recycling',
  'Succeeded',
  'Failed',
  'Terminating',
  'Other',
] as const;
export const displayState = z.enum(displayStates);
export type DisplayState = z.infer<typeof displayState>;

/**
 * First reason found for not moving on, in the controller's own order of gates.
 * Causes name facts of objects; whether the row is overdue is a matter of time and is decided with a clock.
 */
export const causeCodes = [
  'InitImageMismatch',
  'OldPodTerminating',
  'PodMissing',
  'PodCreateFailed',
  'Unschedulable',
  'ImagePull',
  'CrashLoop',
  'StartContainerFailed',
  'ContainersStarting',
  'RuntimeInitFailed',
  'RuntimeInitPending',
  'HookFailed',
  'UpgradePodFailed',
  'CheckpointPending',
  'CheckpointFailed',
  'WaitingForPatch',
  'OperationPaused',
  'ControllerLag',
  'Locked',
  'FinalizerHeld',
  'PodNotFound',
  'RecycleFailed',
  'NodeNotReady',
  'PodDeleted',
  'PodOwnerMismatch',
  'PodEnded',
  'NoTemplate',
  'TemplateMissing',
  'InplaceUpdating',
  'InplaceUpdateFailed',
] as const;
export const causeCode = z.enum(causeCodes);
export type CauseCode = z.infer<typeof causeCode>;

export const cause = z.object({
  code: causeCode,
  /** The evidence in the cluster's own words (a message, two image names, a node), at most 200 characters, the last an ellipsis when cut. */
  detail: text.optional(),
  /** Of a cause that is about an image: as the spec names it, the digest shortened. */
  image: text.optional(),
  /** True when waiting cannot help: the gate compares values that can never become equal. */
  never: z.literal(true).optional(),
});
export type Cause = z.infer<typeof cause>;

export const sandboxRow = z.object({
  uid: text,
  ns: text,
  name: text,
  /** metadata.generation and status.observedGeneration. */
  gen: count.optional(),
  obs: count.optional(),
  phase: text,
  state: displayState,
  /** Reason of the Upgrading condition while state is Upgrading: PreUpgrade, UpgradePod, … */
  stage: text.optional(),
  /** Start of the current state. Absent exactly when sinceFrom is `unknown`. */
  since: time.optional(),
  sinceFrom: sinceSource,
  pool: text.optional(),
  /** Controlled by its SandboxSet: an idle member that counts in the pool's replicas. */
  idle: z.literal(true).optional(),
  /** Label agents.kruise.io/sandbox-claimed is "true". */
  claimed: z.literal(true).optional(),
  /** Label agents.kruise.io/reserved-failed-sandbox is "true": kept for debugging, in no total. */
  reserved: z.literal(true).optional(),
  owner: text.optional(),
  claimName: text.optional(),
  claimedAt: time.optional(),
  /** Label agents.kruise.io/sandbox-id, when short ids are on. */
  id: text.optional(),
  node: text.optional(),
  ip: text.optional(),
  /** Condition Ready. A Failed sandbox keeps Ready=True: never judge by it alone. */
  ready: z.boolean().optional(),
  /** Label agents.kruise.io/template-hash; compare only with the pool's `revision`. */
  hash: text.optional(),
  shutdownAt: time.optional(),
  pauseAt: time.optional(),
  /** spec.paused is true. */
  paused: z.literal(true).optional(),
  restarts: count.optional(),
  message: text.optional(),
  cause: cause.optional(),
  /** Code of the controller's gate it waits at (lib/domain/diagnosis/gates); absent when it is not on its way anywhere. */
  gate: text.optional(),
  /**
   * An init container of its Pod is reported under a name that never equals its own: a pause would be its end (T1). While it is
   * paused: that of its last Pod was, and the next one is made from the same name.
   */
  strands: z.literal(true).optional(),
  /** An init image of its next Pod is pinned by digest, as far as its template and its last Pod tell: a resume may be its end (T1). */
  pinned: z.literal(true).optional(),
  /** Who names the image of `strands`, else of `pinned`, when not its own template: that of spec.templateRef, or the controller, which injects it. */
  imageFrom: z.enum(['SandboxTemplate', 'injection']).optional(),
  /** Label agents.kruise.io/update-ops. */
  op: text.optional(),
  /** With `op`: condition Upgrading is True, the upgrade of this sandbox is done. */
  upgraded: z.literal(true).optional(),
  /**
   * With `op`: reasons of the Upgrading condition that the console saw come, oldest first, with the time of its server; of one
   * that was there already, the condition's own time. At most the last twelve.
   */
  steps: z.array(z.tuple([text, time])).optional(),
  /** spec.upgradePolicy.type. Left behind by an operation, it turns the next template edit into a new Pod (T44). */
  policy: text.optional(),
  /** spec.lifecycle is set: hooks that an upgrade of it runs. */
  hooks: z.literal(true).optional(),
  /** Label agents.kruise.io/upgrade-failed is "true". */
  upFailed: z.literal(true).optional(),
  /** Annotation agents.kruise.io/lock is set. */
  locked: z.literal(true).optional(),
  created: time.optional(),
  /** metadata.deletionTimestamp. */
  deleting: time.optional(),
});
export type SandboxRow = z.infer<typeof sandboxRow>;

/** An int-or-percent field as written: 2 or "20%". */
export const intOrPercent = z.union([count, text]);
export type IntOrPercent = z.infer<typeof intOrPercent>;

/** A sandbox that was deleted moments after it was claimed, while its pool replaced the revision it was of (agents#394). */
export const lostSession = z.object({
  uid: text,
  name: text,
  owner: text.optional(),
  /** When its deletion was seen, and how long after its claim, ms. */
  at: time,
  afterMs: count,
  /** Its revision; the pool's is the one it was replaced for. */
  hash: text.optional(),
});
export type LostSession = z.infer<typeof lostSession>;

export const poolRow = z.object({
  uid: text,
  ns: text,
  name: text,
  gen: count.optional(),
  obs: count.optional(),
  /** spec.replicas: unclaimed sandboxes wanted. */
  desired: count,
  /** Absent when the controller never wrote a status. */
  replicas: count.optional(),
  available: count.optional(),
  /** Hints only: absent means 0 or never written, and they go stale both ways. */
  updated: count.optional(),
  updatedAvailable: count.optional(),
  /** status.updateRevision. */
  revision: text.optional(),
  /** Name of the SandboxTemplate in use (status.currentRevision). */
  template: text.optional(),
  templateRef: text.optional(),
  /** Main containers: name and image. */
  images: z.array(z.object({ name: text, image: text })),
  /** Init containers whose image is pinned by digest: such sandboxes may never resume. */
  digestPinned: z.array(text).optional(),
  noTemplate: z.literal(true).optional(),
  scaleMax: intOrPercent.optional(),
  updateMax: intOrPercent.optional(),
  runtimes: z.array(text).optional(),
  /** Claims and new available members per minute over the last ten minutes; absent until a minute was watched. */
  claimsPerMin: z.number().optional(),
  refillsPerMin: z.number().optional(),
  /** The same, counted over the last minute alone: what goes on now. */
  claimsLastMin: count.optional(),
  refillsLastMin: count.optional(),
  /** Last change of spec.replicas that the console saw. */
  scaledAt: time.optional(),
  scaledFrom: count.optional(),
  /** Since when the console has seen fewer available than desired. */
  belowSince: time.optional(),
  /** Since when, at least, its controller has not looked at the newest spec. */
  lagSince: time.optional(),
  /** There is no SandboxTemplate of the name in templateRef. */
  templateMissing: z.literal(true).optional(),
  /** Of newer versions: why no member is made any more, while the condition ScalingLimited is True. */
  scalingLimited: text.optional(),
  /** Sessions that its rolling updates took since the console has watched it; `last` are at most ten, newest first. */
  lost: z.object({ count, last: z.array(lostSession) }).optional(),
  created: time.optional(),
  deleting: time.optional(),
});
export type PoolRow = z.infer<typeof poolRow>;

export const upgradeRow = z.object({
  uid: text,
  ns: text,
  name: text,
  gen: count.optional(),
  obs: count.optional(),
  phase: text,
  /** status.replicas; absent before the first status. */
  total: count.optional(),
  updated: count.optional(),
  updating: count.optional(),
  failed: count.optional(),
  strategy: text,
  maxUnavailable: intOrPercent.optional(),
  paused: z.literal(true).optional(),
  /** Selector as `kubectl -l` would take it. */
  selector: text,
  states: z.array(text).optional(),
  /** Images the patch sets: container name and image. */
  images: z.array(z.object({ name: text, image: text })).optional(),
  /** False when there is no patch: a lifecycle-only operation. */
  hasPatch: z.boolean(),
  hooks: z.array(z.enum(['preUpgrade', 'postUpgrade'])).optional(),
  /** The operation that it undoes, where it was planned as a roll back here. */
  rollsBack: text.optional(),
  /** False when the controller has not taken it up (no protection finalizer). */
  taken: z.boolean(),
  /** Time of the last status change the console saw, or of the object's managed status. */
  changedAt: time.optional(),
  created: time.optional(),
  deleting: time.optional(),
});
export type UpgradeRow = z.infer<typeof upgradeRow>;

export const claimRow = z.object({
  uid: text,
  ns: text,
  name: text,
  pool: text,
  phase: text,
  desired: count,
  claimed: count.optional(),
  message: text.optional(),
  started: time.optional(),
  completed: time.optional(),
  created: time.optional(),
  deleting: time.optional(),
});
export type ClaimRow = z.infer<typeof claimRow>;

export const nodeRow = z.object({
  uid: text,
  name: text,
  ready: z.boolean().optional(),
  cordoned: z.literal(true).optional(),
  /** Allocatable CPU in millicores and memory in bytes. */
  cpu: z.number().optional(),
  memory: z.number().optional(),
});
export type NodeRow = z.infer<typeof nodeRow>;

export const namespaceRow = z.object({ uid: text, name: text });
export type NamespaceRow = z.infer<typeof namespaceRow>;

/** Every kind of row, by the plural the API server uses. */
export const rowSchemas = {
  sandboxes: sandboxRow,
  sandboxsets: poolRow,
  sandboxupdateops: upgradeRow,
  sandboxclaims: claimRow,
  nodes: nodeRow,
  namespaces: namespaceRow,
} as const;
export type RowKind = keyof typeof rowSchemas;
export const rowKinds = Object.keys(rowSchemas) as RowKind[];
export const rowKind = z.enum(['sandboxes', 'sandboxsets', 'sandboxupdateops', 'sandboxclaims', 'nodes', 'namespaces']);
export type RowOf<K extends RowKind> = z.infer<(typeof rowSchemas)[K]>;

export const rowLists = z.object({
  sandboxes: z.array(sandboxRow),
  sandboxsets: z.array(poolRow),
  sandboxupdateops: z.array(upgradeRow),
  sandboxclaims: z.array(claimRow),
  nodes: z.array(nodeRow),
  namespaces: z.array(namespaceRow),
});
export type RowLists = z.infer<typeof rowLists>;
