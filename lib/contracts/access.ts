import { z } from 'zod';

/** The writes that a person may be allowed, by the name of the action. */
export const guardedAction = z.enum([
  'scalePool',
  'patchPoolTemplate',
  'createUpgrade',
  'steerUpgrade',
  'deleteUpgrade',
  'cleanLeftovers',
  'patchSandbox',
  'deleteSandbox',
  'deletePod',
  'runTask',
]);
export type GuardedAction = z.infer<typeof guardedAction>;

/** What the API server says about one action in one namespace, and the exact right it needs. */
export const actionAccess = z.object({
  /** `unknown`: the API server could not be asked; `reason` says why. Not the same as denied. */
  state: z.enum(['allowed', 'denied', 'unknown']),
  reason: z.string().optional(),
  verb: z.string(),
  group: z.string(),
  /** With its subresource: `sandboxsets/scale`. */
  resource: z.string(),
});
export type ActionAccess = z.infer<typeof actionAccess>;

/** `GET /api/v1/access?namespace=…`: who is asking, and, for a namespace, what that person may do there. */
export const accessReply = z.object({
  time: z.number(),
  person: z.object({
    subject: z.string(),
    groups: z.array(z.string()),
    /** False: the API server sees the console's own identity, not this name. */
    impersonated: z.boolean(),
  }),
  namespace: z.string().optional(),
  actions: z.record(guardedAction, actionAccess).optional(),
});
export type AccessReply = z.infer<typeof accessReply>;
