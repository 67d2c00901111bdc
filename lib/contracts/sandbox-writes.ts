import { z } from 'zod';
import { namespaceName, objectName } from './names';
import { problem } from './problem';
import { receipt } from './writes';

/**
 * A sandbox as the person saw it. Another one of the same name is refused; so is one that changed hands since, or whose
 * deadline did. What its state does not permit any more is refused by the table of lib/domain/sandbox-actions.
 */
export const sandboxTarget = z.object({
  ns: namespaceName,
  name: objectName,
  uid: z.string().min(1),
  /** Pod that the person saw, for what acts on the Pod. */
  podUid: z.string().optional(),
  /** What the person saw of it; what is absent is not compared. Times are epoch milliseconds. */
  seen: z
    .object({
      /** Annotation agents.kruise.io/owner; null: nobody. */
      owner: z.string().nullable(),
      shutdownAt: z.number().nullable(),
      pauseAt: z.number().nullable(),
    })
    .partial()
    .optional(),
});
export type SandboxTarget = z.infer<typeof sandboxTarget>;

const when = z.iso.datetime();

/** What to do, and with which values. */
export const sandboxChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('pauseSandbox') }),
  z.object({
    action: z.literal('resumeSandbox'),
    /** In place of a pauseTime that has passed, null for none: that would pause it again at once (recorded `pause-time`). */
    pauseTime: when.nullable().optional(),
  }),
  /** Sets spec.shutdownTime or spec.pauseTime; `to` null removes it. What the person saw is `seen` of the target. */
  z.object({
    action: z.literal('setDeadline'),
    field: z.enum(['shutdownTime', 'pauseTime']),
    /** The same for all; or `addSeconds` to what each has, from now where that has passed or there is none. */
    to: when.nullable().optional(),
    addSeconds: z.number().int().min(60).max(31_536_000).optional(),
  }),
  z.object({ action: z.literal('deletePod') }),
  /** Names of images by container, init containers included: the sandbox's own template is patched. */
  z.object({
    action: z.literal('changeImages'),
    images: z
      .array(
        z.object({
          container: z.string().min(1),
          init: z.boolean(),
          from: z.string(),
          to: z.string().trim().min(1),
        }),
      )
      .min(1),
    /** Then its Pod is deleted: what frees one that hangs at the image check. */
    thenDeletePod: z.boolean(),
  }),
  z.object({ action: z.literal('deleteSandbox') }),
  /** For one that is being deleted and stays: what the finalizer would have done is left undone. */
  z.object({ action: z.literal('removeFinalizer'), finalizer: z.string().min(1) }),
]);
export type SandboxChange = z.infer<typeof sandboxChange>;
export type SandboxAction = SandboxChange['action'];

/** `POST /api/v1/sandboxes/actions`: one change for one or several sandboxes, each with its own outcome. */
export const sandboxActionRequest = z.object({
  items: z.array(sandboxTarget).min(1).max(500),
  change: sandboxChange,
  dryRun: z.boolean().default(false),
  reason: z.string().max(500).optional(),
  /** One after the other, and after the first that fails the rest is `skipped`; or several at once, and on they go. */
  onFailure: z.enum(['stop', 'continue']).default('stop'),
});
export type SandboxActionRequest = z.infer<typeof sandboxActionRequest>;

export const sandboxOutcome = z.object({
  ns: z.string(),
  name: z.string(),
  uid: z.string(),
  result: z.enum(['accepted', 'unchanged', 'refused', 'unknown', 'skipped']),
  /** Why not: the refusal of the step that `result` is about, in the form that every door answers errors in. */
  problem: problem.omit({ requestId: true }).optional(),
  /** Of the change; with `thenDeletePod` of the template, which may be written although the Pod stayed. */
  receipt: receipt.optional(),
  /** Of the Pod, after the template. */
  podReceipt: receipt.optional(),
});
export type SandboxOutcome = z.infer<typeof sandboxOutcome>;
export const sandboxActionReply = z.object({ time: z.number(), items: z.array(sandboxOutcome) });
export type SandboxActionReply = z.infer<typeof sandboxActionReply>;

/** How many Pods one request may ask for: their names are in its address. */
export const podsAtOnce = 100;

/** `GET /api/v1/sandboxes/pods?uids=a,b`: the uids of the Pods that sandboxes have now, for telling that there is a new one. */
export const sandboxPodsQuery = z.object({
  uids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().min(1)).max(podsAtOnce)),
});
/** By uid of the sandbox. One that has no Pod, or that the person may not see, is not in it. */
export const sandboxPodsReply = z.object({ pods: z.record(z.string(), z.string()) });
export type SandboxPodsReply = z.infer<typeof sandboxPodsReply>;
