import { z } from 'zod';

/** Something that the embedded cluster can be made to show. Texts are English; the pages know those of other languages by name. */
const item = {
  name: z.string(),
  title: z.string(),
  /** What somebody on call practises with it; `groupTitle` for a group of a newer cluster. */
  group: z.string(),
  groupTitle: z.string(),
  does: z.string(),
};

export const practiceScenario = z.object({
  ...item,
  namespace: z.string(),
  /** It changes the whole cluster. */
  wide: z.boolean(),
  phase: z.enum(['off', 'starting', 'standing', 'failed', 'ending']),
  since: z.number().optional(),
  /** Why it has failed. */
  message: z.string().optional(),
});
export type PracticeScenario = z.infer<typeof practiceScenario>;

export const practiceFault = z.object({
  ...item,
  /** What is left after its end. */
  ends: z.string(),
  possible: z.boolean(),
});
export type PracticeFault = z.infer<typeof practiceFault>;

export const activeFault = z.object({
  id: z.string(),
  name: z.string(),
  since: z.number(),
  until: z.number().optional(),
  /** The scenario that it belongs to. */
  by: z.string().optional(),
});
export type ActiveFault = z.infer<typeof activeFault>;

/** `GET /api/v1/practice`, and what a `POST` answers. Times are epoch milliseconds of the cluster's machine. */
export const practiceReply = z.object({
  scenarios: z.array(practiceScenario),
  faults: z.array(practiceFault),
  active: z.array(activeFault),
});
export type PracticeReply = z.infer<typeof practiceReply>;

const name = z.string().regex(/^[a-z0-9-]{1,80}$/, 'is not a name');

/** `POST /api/v1/practice` */
export const practiceRequest = z.discriminatedUnion('do', [
  z.object({ do: z.literal('startScenario'), name }),
  z.object({ do: z.literal('endScenario'), name }),
  z.object({ do: z.literal('startFault'), name, seconds: z.number().positive().max(86_400).optional() }),
  z.object({ do: z.literal('endFault'), id: name }),
  z.object({ do: z.literal('endAll') }),
]);
export type PracticeRequest = z.infer<typeof practiceRequest>;
