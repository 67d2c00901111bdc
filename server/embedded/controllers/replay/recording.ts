import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { objectSchema } from '../client/objects';

const stepSchema = z.looseObject({
  t: z.number(),
  action: z.string(),
  stdin: z.string().optional(),
  failed: z.boolean().optional(),
});
export type Step = z.infer<typeof stepSchema>;

const headSchema = z.looseObject({ date: z.string(), namespace: z.string(), steps: z.array(stepSchema) });
const eventSchema = z.looseObject({
  t: z.number(),
  kind: z.string(),
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED']),
  object: objectSchema,
});
/** One watch event; `kind` is the plural, `t` seconds since the start of the recording. */
export type Seen = z.infer<typeof eventSchema>;

export interface Recording {
  name: string;
  /** Epoch milliseconds of t = 0. */
  start: number;
  namespace: string;
  steps: Step[];
  /** In the order in which the API server wrote. */
  events: Seen[];
}

/** What the real controllers did, with the commands that made them do it. */
export function loadRecording(name: string): Recording {
  const file = path.join(import.meta.dirname, '../../../testing/recordings', `${name}.jsonl`);
  const [first = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const { date, namespace, steps } = headSchema.parse(JSON.parse(first));
  const events = lines.map((line) => eventSchema.parse(JSON.parse(line)));
  return { name, start: Date.parse(date), namespace, steps, events: sortByVersion(events) };
}

export const sortByVersion = (events: Seen[]): Seen[] =>
  events.sort((a, b) => Number(a.object.metadata.resourceVersion) - Number(b.object.metadata.resourceVersion));
