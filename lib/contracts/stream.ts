import { z } from 'zod';
import { rowKind, rowLists } from './rows';
import { limitSettings } from './triage';

/**
 * List, then watch, between the console's server and a tab.
 *
 * `GET /api/v1/rows?namespaces=a,b` answers {@link rowsReply}: every row of the scope and a cursor.
 * `GET /api/v1/stream?cursor=…&namespaces=a,b` continues from there as server-sent events whose `data`
 * is one {@link streamMessage}. A cursor that is too old, or of another server process, is answered
 * with `gap`, and the tab lists again. No namespaces parameter means all that the person may see.
 */

/** What a person or a test can know of one watched kind. */
export const kindFreshness = z.object({
  /** The watched plural; wider than the row kinds (pods feed the rows of sandboxes). */
  kind: z.string(),
  state: z.enum(['syncing', 'live', 'degraded', 'missing', 'forbidden']),
  /** Last proof of life from the API server for this kind, server clock. */
  provenAt: z.number().optional(),
  /** Since when it is degraded, and the cluster's own words. */
  since: z.number().optional(),
  reason: z.string().optional(),
});
export type KindFreshness = z.infer<typeof kindFreshness>;

export const clusterInfo = z.object({
  /** Name of the kubeconfig context, `in-cluster`, or `embedded`. */
  name: z.string(),
  server: z.string(),
  version: z.string().optional(),
  /** The simulator that ships with the console; shown as a permanent ribbon. */
  embedded: z.boolean(),
  /** Kinds of agents.kruise.io that this cluster does not serve, by plural. */
  missing: z.array(z.string()),
  /**
   * Milliseconds that the cluster's clock is ahead of the console server's, negative when behind; absent while they agree to
   * about a second. Every time that the console compares with times of objects is already of the cluster's clock.
   */
  clockAheadMs: z.number().optional(),
});
export type ClusterInfo = z.infer<typeof clusterInfo>;

export const freshness = z.object({
  kinds: z.array(kindFreshness),
  cluster: clusterInfo,
});
export type Freshness = z.infer<typeof freshness>;

export const rowsReply = z.object({
  cursor: z.string(),
  /** The server's clock when the rows were read. */
  time: z.number(),
  freshness,
  /** What rows are judged by; of pools those that the person may see. */
  limits: limitSettings,
  /** Version of what people have said of these sandboxes (`GET /api/v1/triage`): when it is another one, that is read again. */
  marks: z.string(),
  rows: rowLists,
});
export type RowsReply = z.infer<typeof rowsReply>;

export const streamMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('delta'),
    cursor: z.string(),
    time: z.number(),
    upserts: rowLists.partial(),
    /** uids that are gone, by kind. */
    removes: z.partialRecord(rowKind, z.array(z.string())),
  }),
  /** Every ten seconds, and at once when a kind's state, the limits or the marks change. */
  z.object({
    type: z.literal('heartbeat'),
    cursor: z.string(),
    time: z.number(),
    freshness,
    limits: limitSettings,
    marks: z.string(),
  }),
  /** The tab must list again: cursor too old, another server process, or the tab was too slow. */
  z.object({ type: z.literal('gap'), time: z.number(), reason: z.enum(['expired', 'restarted', 'slow', 'resync']) }),
  /** Rights were lost or the server is stopping. `retry` false: do not come back by yourself. */
  z.object({ type: z.literal('end'), time: z.number(), reason: z.enum(['forbidden', 'stopping']), retry: z.boolean() }),
]);
export type StreamMessage = z.infer<typeof streamMessage>;
