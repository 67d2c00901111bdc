import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const line = z.object({
  t: z.number(),
  kind: z.string(),
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED']),
  object: z.looseObject({
    metadata: z.looseObject({ name: z.string(), uid: z.string(), resourceVersion: z.string() }),
  }),
});

/** One watch event of a recording: `t` in seconds since its start, `kind` the plural. */
export type RecordedEvent = z.infer<typeof line>;

const head = z.looseObject({ scenario: z.string(), date: z.string(), namespace: z.string() });

/** A whole recording of real controllers, in the exact order of the API server's writes. */
export function readRecording(name: string): { start: number; namespace: string; events: RecordedEvent[] } {
  const file = path.join(import.meta.dirname, 'recordings', `${name}.jsonl`);
  const [first, ...rest] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const { date, namespace } = head.parse(JSON.parse(first ?? ''));
  const events = rest.map((text) => line.parse(JSON.parse(text)));
  // Lines of different kinds come from different watches; within one store the version is the order.
  const version = (event: RecordedEvent) => Number(event.object.metadata.resourceVersion);
  return { start: Date.parse(date), namespace, events: events.sort((a, b) => version(a) - version(b)) };
}
