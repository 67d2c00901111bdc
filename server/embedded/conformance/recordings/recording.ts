import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { objectSchema } from '../../controllers/client/objects';

const stepSchema = z.looseObject({
  t: z.number(),
  action: z.string(),
  stdin: z.string().optional(),
  failed: z.boolean().optional(),
  note: z.string().optional(),
});
export type Step = z.infer<typeof stepSchema>;

const headSchema = z.looseObject({ date: z.string(), namespace: z.string(), steps: z.array(stepSchema) });
const eventSchema = z.looseObject({
  t: z.number(),
  kind: z.string(),
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED']),
  object: objectSchema,
});
/** One watch event; `kind` is the plural, `t` seconds since the start. */
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

/**
 * What the real controllers did, with the commands that made them do it.
 * @throws Error when the file is no scenario recording.
 */
export function loadRecording(file: string): Recording {
  const name = path.basename(file, '.jsonl');
  const [first = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const head = headSchema.safeParse(JSON.parse(first));
  if (!head.success) throw new Error(`${file} is no recording of a scenario: ${z.prettifyError(head.error)}`);
  const { date, namespace, steps } = head.data;
  const events = lines.map((line) => eventSchema.parse(JSON.parse(line)));
  return { name, start: Date.parse(date), namespace, steps, events: sortByVersion(events) };
}

export const sortByVersion = (events: Seen[]): Seen[] =>
  events.sort((a, b) => Number(a.object.metadata.resourceVersion) - Number(b.object.metadata.resourceVersion));
