import { z } from 'zod';
import { historyStore } from './history';

/** Kinds whose whole object a page may read. */
export const readableKind = z.enum([
  'sandboxes',
  'sandboxsets',
  'sandboxupdateops',
  'sandboxclaims',
  'sandboxtemplates',
  'pods',
]);
export type ReadableKind = z.infer<typeof readableKind>;

/** Any Kubernetes object, with the few fields every reader needs; the rest passes through. */
export const kubeObject = z.looseObject({
  apiVersion: z.string().optional(),
  kind: z.string().optional(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    uid: z.string(),
    resourceVersion: z.string().optional(),
    generation: z.number().optional(),
    creationTimestamp: z.string().optional(),
    deletionTimestamp: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});
export type KubeObject = z.infer<typeof kubeObject>;

export const eventRow = z.object({
  uid: z.string(),
  /** Last time it was seen; eventTime when the others are null. */
  at: z.number().optional(),
  first: z.number().optional(),
  count: z.number().int(),
  type: z.string(),
  reason: z.string(),
  message: z.string(),
  /** source.component, else reportingComponent. */
  from: z.string().optional(),
});
export type EventRow = z.infer<typeof eventRow>;

/**
 * `GET /api/v1/objects/{kind}/{namespace}/{name}`: the object as the cluster has it now, secrets replaced
 * by `•••`, managedFields dropped, with what belongs beside it. `events` null: they could not be read
 * (`eventsProblem` says why). With `?ifAny=true` the answer is null where there is none of that name, instead of a 404.
 */
export const objectReply = z.object({
  time: z.number(),
  object: kubeObject,
  events: z.array(eventRow).nullable(),
  eventsProblem: z.string().optional(),
  /** The Pod of a sandbox, when there is one. */
  pod: kubeObject.optional(),
  /** The SandboxTemplate that the spec.templateRef of a sandbox names; null: there is none. Absent where it may not be read. */
  template: kubeObject.nullable().optional(),
  /** Checkpoints of a sandbox. Absent where they may not be read. */
  checkpoints: z.array(kubeObject).optional(),
});
export type ObjectReply = z.infer<typeof objectReply>;

/**
 * `GET /api/v1/history/phases?minutes=60&namespaces&pool=ns/name`: counts per state over time, of all or of one pool. The
 * samples of the last hour are of this server process; older ones, one a minute, come from its database.
 */
export const phaseHistoryReply = z.object({
  time: z.number(),
  store: historyStore,
  /** Start of recording: nothing is known before. */
  since: z.number(),
  stepSeconds: z.number(),
  /** Stretches in which the console did not watch: no sample is of then, and nothing is known of what was in between. */
  gaps: z.array(z.object({ from: z.number(), to: z.number() })).default([]),
  samples: z.array(
    z.object({
      at: z.number(),
      counts: z.record(z.string(), z.number()),
      overdue: z.record(z.string(), z.number()),
    }),
  ),
});
export type PhaseHistoryReply = z.infer<typeof phaseHistoryReply>;
