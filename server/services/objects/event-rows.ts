import 'server-only';
import { z } from 'zod';
import type { EventRow } from '@/lib/contracts/objects';
import { parseTime } from '@/lib/domain/time';

const text = z.string().nullish();

/** core/v1 Event, both ages of it: the scheduler's have null timestamps, no count and an empty source. */
const kubeEvent = z.looseObject({
  metadata: z.looseObject({ uid: z.string(), creationTimestamp: text }),
  involvedObject: z.looseObject({ kind: text, uid: text }),
  type: text,
  reason: text,
  message: text,
  count: z.number().int().nullish(),
  firstTimestamp: text,
  lastTimestamp: text,
  eventTime: text,
  source: z.looseObject({ component: text }).nullish(),
  reportingComponent: text,
  series: z.looseObject({ count: z.number().int().nullish(), lastObservedTime: text }).nullish(),
});
type KubeEvent = z.infer<typeof kubeEvent>;

type Listed = { row: EventRow; made: number | undefined; index: number };

const list = z.looseObject({ items: z.array(z.unknown()) });

const firstTime = (...candidates: unknown[]) => candidates.map(parseTime).find((t) => t !== undefined);

function rowOf(event: KubeEvent): EventRow {
  const at = firstTime(
    event.series?.lastObservedTime,
    event.lastTimestamp,
    event.eventTime,
    event.metadata.creationTimestamp,
  );
  const first = firstTime(event.firstTimestamp, event.eventTime);
  // Combined events ("(combined from similar events): …") have an empty reportingComponent: the source still says.
  const from = event.source?.component || event.reportingComponent || undefined;
  return {
    uid: event.metadata.uid,
    ...(at === undefined ? {} : { at }),
    ...(first === undefined ? {} : { first }),
    count: event.series?.count ?? event.count ?? 1,
    type: event.type ?? 'Normal',
    reason: event.reason ?? '',
    message: event.message ?? '',
    ...(from === undefined ? {} : { from }),
  };
}

/**
 * Times of events are whole seconds: of those within one, the last made is the newest, then the one that was repeated,
 * then the last in the list, which the API server sorts by names that carry the time.
 */
const newestFirst = (a: Listed, b: Listed) =>
  (b.row.at ?? 0) - (a.row.at ?? 0) || (b.made ?? 0) - (a.made ?? 0) || b.row.count - a.row.count || b.index - a.index;

/**
 * Rows of the events in a list that `isOurs` takes, newest first. An item that is no event is left out.
 * @param body an EventList as the API server answered it
 */
export function eventRows(body: unknown, isOurs: (about: { kind?: string; uid?: string }) => boolean): EventRow[] {
  return list
    .parse(body)
    .items.flatMap((item, index) => {
      const event = kubeEvent.safeParse(item);
      if (!event.success) return [];
      const { involvedObject, metadata } = event.data;
      const { kind, uid } = involvedObject;
      if (!isOurs({ ...(kind ? { kind } : {}), ...(uid ? { uid } : {}) })) return [];
      return [{ row: rowOf(event.data), made: parseTime(metadata.creationTimestamp), index }];
    })
    .sort(newestFirst)
    .map(({ row }) => row);
}
