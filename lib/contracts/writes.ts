import { z } from 'zod';
import { refusal } from './problem';

/** int32 is what spec.replicas can hold; larger numbers are refused before the API server sees them. */
export const maxReplicas = 2_147_483_647;

/** Every write names the object it was made for: another object of the same name is refused. */
const target = { uid: z.string().min(1), dryRun: z.boolean().default(false), reason: z.string().max(500).optional() };

/** `POST /api/v1/pools/{namespace}/{name}/scale` */
export const scalePoolRequest = z.object({
  ...target,
  /** spec.replicas that the person saw; a pool that has moved on since is refused with `conflict`. */
  from: z.number().int().min(0),
  to: z.number().int().min(0).max(maxReplicas),
});
export type ScalePoolRequest = z.infer<typeof scalePoolRequest>;

const resourceList = z.record(z.string(), z.string());

/** One container's change. What is absent stays as it is; null removes. */
export const containerChange = z.object({
  init: z.boolean().default(false),
  name: z.string().min(1),
  image: z.string().min(1).optional(),
  env: z.array(z.object({ name: z.string().min(1), value: z.string().nullable() })).optional(),
  requests: resourceList.optional(),
  limits: resourceList.optional(),
});
export type ContainerChange = z.infer<typeof containerChange>;

/**
 * `POST /api/v1/pools/{namespace}/{name}/template`
 * `before` is the template the person saw. The server turns the change into a JSON Patch whose `test`
 * operations hold what was seen, so that siblings survive and a race is refused.
 */
export const patchPoolTemplateRequest = z.object({
  ...target,
  before: z.record(z.string(), z.unknown()),
  change: z.discriminatedUnion('by', [
    z.object({ by: z.literal('form'), containers: z.array(containerChange).min(1) }),
    /** The whole new template, parsed from the YAML the person edited. */
    z.object({ by: z.literal('yaml'), template: z.record(z.string(), z.unknown()) }),
  ]),
});
export type PatchPoolTemplateRequest = z.infer<typeof patchPoolTemplateRequest>;

export const jsonPatchOp = z.object({
  op: z.enum(['test', 'add', 'replace', 'remove']),
  path: z.string(),
  value: z.unknown().optional(),
});
export type JsonPatchOp = z.infer<typeof jsonPatchOp>;

/** Every write of the console, by the name that receipts and the list of recent actions give it. */
export const writeAction = z.enum([
  'scalePool',
  'patchPoolTemplate',
  'createUpgrade',
  'pauseUpgrade',
  'continueUpgrade',
  'changeUpgradeLimit',
  'deleteUpgrade',
  'cleanLeftovers',
  'pauseSandbox',
  'resumeSandbox',
  'setDeadline',
  'deletePod',
  'changeImages',
  'deleteSandbox',
  'removeFinalizer',
  'acknowledge',
  'snooze',
  'releaseMark',
  'setLimits',
]);
export type WriteAction = z.infer<typeof writeAction>;

/** What the list of actions has words for: all writes, and tasks, whose sandboxes are claimed and given back through another API. */
export const listedAction = z.enum([...writeAction.options, 'runTask', 'cancelTask', 'releaseTask']);

/** What every write answers, dry run included. */
export const receipt = z.object({
  id: z.string(),
  at: z.number(),
  actor: z.string(),
  dryRun: z.boolean(),
  action: writeAction,
  object: z.object({ kind: z.string(), namespace: z.string(), name: z.string(), uid: z.string() }),
  /** False when the cluster already was as asked: nothing was written, nothing will be observed. */
  changed: z.boolean(),
  before: z.unknown(),
  after: z.unknown(),
  resourceVersion: z.string().optional(),
  /** The row has taken the change in when its `gen` is at least this (scale: when `desired` is `after`). */
  generation: z.number().int().optional(),
  kubectl: z.string(),
  /** JSON Patch that was sent, when one was. */
  patch: z.array(jsonPatchOp).optional(),
  /** `Warning` headers of the API server. */
  warnings: z.array(z.string()),
});
export type Receipt = z.infer<typeof receipt>;

/** `GET /api/v1/actions`: the console's last writes, newest first, failures included. */
export const recentAction = z.object({
  id: z.string(),
  at: z.number(),
  actor: z.string(),
  action: z.string(),
  object: z.object({ kind: z.string(), namespace: z.string(), name: z.string() }),
  /** So many other objects of the namespace came off alike in the same request; absent: none. */
  others: z.number().int().optional(),
  /** Short and free of secrets: "3 → 12", "image python:3.11 → python:3.12". */
  summary: z.string(),
  /** `unknown`: no answer came in time, so it may have happened; `observed`: it has, as the watch showed afterwards. */
  result: z.enum(['accepted', 'unchanged', 'refused', 'unknown', 'observed']),
  message: z.string().optional(),
  ...refusal,
});
export type RecentAction = z.infer<typeof recentAction>;
export const recentActionsReply = z.object({ actions: z.array(recentAction) });
