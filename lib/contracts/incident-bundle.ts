import { z } from 'zod';
import { kubeObject } from './objects';
import { sinceSource } from './rows';
import { limitPair, mark, markScope } from './triage';

/**
 * An incident as a file for a ticket or a script: what hangs, since when, why, and what was not readable. Times are RFC 3339
 * in UTC. It holds no credential and no value of an environment variable. A change that readers have to know of raises
 * `version`.
 */

const time = z.iso.datetime();
const severity = z.enum(['calm', 'warn', 'breach']);
const counted = z.object({ value: z.string(), count: z.number().int() });

const bundleMember = z.object({
  name: z.string(),
  uid: z.string(),
  state: z.string(),
  stage: z.string().optional(),
  severity,
  /** Absent: nobody saw it begin. */
  since: time.optional(),
  clock: sinceSource,
  cause: z.string().optional(),
  never: z.literal(true).optional(),
  node: z.string().optional(),
  revision: z.string().optional(),
  /** Condition Ready of the Sandbox, not of its Pod. */
  ready: z.boolean().optional(),
  claimed: z.boolean(),
  claim: z.string().optional(),
  shutdownAt: time.optional(),
});
export type BundleMember = z.infer<typeof bundleMember>;

/** As lib/domain/diagnosis makes it; what a reader can rely on of it. */
const bundleVerdict = z.looseObject({
  state: z.string(),
  severity,
  clock: sinceSource,
  gates: z.array(z.looseObject({ code: z.string(), outcome: z.string() })),
  cause: z.looseObject({ code: z.string(), confidence: z.string(), never: z.boolean() }).optional(),
});

const bundleEvent = z.object({
  at: time.optional(),
  count: z.number().int(),
  type: z.string(),
  reason: z.string(),
  message: z.string(),
  from: z.string().optional(),
});

export const incidentBundle = z.object({
  schema: z.literal('openkruise-agents-console/incident-bundle'),
  version: z.literal(1),
  madeAt: time,
  link: z.url(),
  cluster: z.object({ name: z.string(), server: z.string(), version: z.string().optional() }),
  clock: z.object({
    source: z.literal('cluster'),
    /** How far the console's server was behind it, negative when ahead; absent when they agreed to about a second. */
    aheadMs: z.number().optional(),
  }),
  cohort: z.object({
    /** What its members have in common. */
    scope: markScope,
    severity,
    count: z.number().int(),
    sessions: z.number().int(),
    never: z.number().int(),
    oldest: time.optional(),
    nodes: z.array(counted),
    revisions: z.array(counted),
    images: z.array(counted),
  }),
  /** By which the state is judged; absent when it may last for ever. */
  limits: limitPair.optional(),
  /** What somebody has said of it. */
  marks: z.array(mark.omit({ id: true, version: true })),
  freshness: z.array(
    z.object({ kind: z.string(), state: z.string(), provenAt: time.optional(), reason: z.string().optional() }),
  ),
  /** Worst first. */
  members: z.array(bundleMember),
  /** Members that are only counted. */
  membersLeftOut: z.number().int(),
  /** The first members with their whole objects, secrets masked. */
  details: z.array(
    z.object({
      name: z.string(),
      uid: z.string(),
      verdict: bundleVerdict,
      sandbox: kubeObject,
      /** Null: there is none. */
      pod: kubeObject.nullable(),
      /** Null: they could not be read. */
      events: z.array(bundleEvent).nullable(),
    }),
  ),
  /** What could not be read, and why, in the words of who refused. */
  unreadable: z.array(z.object({ what: z.string(), why: z.string() })),
  kubectl: z.array(z.string()),
});
export type IncidentBundle = z.infer<typeof incidentBundle>;
