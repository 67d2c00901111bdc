import { z } from 'zod';
import { receipt } from './writes';

/** A sandbox as the person saw it. Another one of the same name is refused; so is one that was paused, resumed or moved on since. */
export const sandboxTarget = z.object({
  ns: z.string().min(1),
  name: z.string().min(1),
  uid: z.string().min(1),
  /** Pod that the person saw, for what acts on the Pod. */
  podUid: z.string().optional(),
});
export type SandboxTarget = z.infer<typeof sandboxTarget>;

const when = z.iso.datetime();

/** What to do, and with which values. */
export const sandboxChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('pauseSandbox') }),
  z.object({ action: z.literal('resumeSandbox') }),
  /** Sets spec.shutdownTime or spec.pauseTime; `from` is what the person saw (null: none), `to` null removes it. */
  z.object({
    action: z.literal('setDeadline'),
    field: z.enum(['shutdownTime', 'pauseTime']),
    /** Of one sandbox; of several, `addSeconds` to what each has. */
    to: when.nullable().optional(),
    addSeconds: z.number().int().min(60).max(31_536_000).optional(),
  }),
  z.object({ action: z.literal('deletePod') }),
  /** Names of images by container, init containers included: the sandbox's own template is patched. */
  z.object({
    action: z.literal('changeImages'),
    images: z
      .array(z.object({ container: z.string().min(1), init: z.boolean(), from: z.string(), to: z.string().min(1) }))
      .min(1),
    /** Then its Pod is deleted: what frees one that hangs at the image check. */
    thenDeletePod: z.boolean(),
  }),
  z.object({ action: z.literal('deleteSandbox') }),
  /** For one that is being deleted and stays: what the finalizer would have done is left undone. */
  z.object({ action: z.literal('removeFinalizer'), finalizer: z.string().min(1) }),
]);
export type SandboxChange = z.infer<typeof sandboxChange>;

/** `POST /api/v1/sandboxes/actions`: one change for one or several sandboxes, each with its own outcome. */
export const sandboxActionRequest = z.object({
  items: z.array(sandboxTarget).min(1).max(500),
  change: sandboxChange,
  dryRun: z.boolean().default(false),
  reason: z.string().max(500).optional(),
  /** After the first refusal the rest is `skipped`, or goes on. */
  onFailure: z.enum(['stop', 'continue']).default('stop'),
});
export type SandboxActionRequest = z.infer<typeof sandboxActionRequest>;

export const sandboxOutcome = z.object({
  ns: z.string(),
  name: z.string(),
  uid: z.string(),
  result: z.enum(['accepted', 'unchanged', 'refused', 'unknown', 'skipped']),
  /** The API server's or the console's words. */
  message: z.string().optional(),
  receipt: receipt.optional(),
});
export type SandboxOutcome = z.infer<typeof sandboxOutcome>;
export const sandboxActionReply = z.object({ time: z.number(), items: z.array(sandboxOutcome) });
export type SandboxActionReply = z.infer<typeof sandboxActionReply>;
