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

const described = { description: z.string().optional() };
/** One thing that a fault takes, in the part of JSON Schema that the control door describes it with. None is required. */
export const practiceParameter = z.union([
  z.object({
    ...described,
    type: z.enum(['number', 'integer']),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
  z.object({ ...described, type: z.literal('boolean'), default: z.boolean().optional() }),
  z.object({
    ...described,
    type: z.literal('string'),
    enum: z.array(z.string()).optional(),
    default: z.string().optional(),
  }),
  z.object({
    ...described,
    type: z.literal('array'),
    items: z.object({ enum: z.array(z.string()) }),
    minItems: z.number().optional(),
    default: z.array(z.string()).optional(),
  }),
  /** One of a few numbers. */
  z.object({ ...described, anyOf: z.array(z.object({ const: z.number() })), default: z.number().optional() }),
]);
export type PracticeParameter = z.infer<typeof practiceParameter>;

const parameterValue = z.union([z.number(), z.boolean(), z.string().max(253), z.array(z.string().max(253)).max(50)]);
export const parameterValues = z.record(z.string().max(80), parameterValue);
export type ParameterValues = z.infer<typeof parameterValues>;

export const practiceFault = z.object({
  ...item,
  /** What is left after its end. */
  ends: z.string(),
  possible: z.boolean(),
  params: z.object({ properties: z.record(z.string(), practiceParameter) }),
});
export type PracticeFault = z.infer<typeof practiceFault>;

export const activeFault = z.object({
  id: z.string(),
  name: z.string(),
  /** Those that were not said are there with what stands for them. */
  params: parameterValues,
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
  z.object({
    do: z.literal('startFault'),
    name,
    params: parameterValues.optional(),
    seconds: z.number().positive().max(86_400).optional(),
  }),
  z.object({ do: z.literal('endFault'), id: name }),
  z.object({ do: z.literal('endAll') }),
]);
export type PracticeRequest = z.infer<typeof practiceRequest>;
