import path from 'node:path';
import { z } from 'zod';
import { objectSchema } from '../../controllers/client/objects';
import { parseLine, readJsonLines, UnusableFile } from '../json-lines';
import type { End } from './sequences';

const stepSchema = z.looseObject({
  t: z.number(),
  action: z.string(),
  stdin: z.string().optional(),
  failed: z.boolean().optional(),
  note: z.string().optional(),
});
export type Step = z.infer<typeof stepSchema>;

const headSchema = z.looseObject({
  date: z.iso.datetime({ offset: true }),
  namespace: z.string(),
  steps: z.array(stepSchema),
});
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

/** When it ended: with its last event, or with a step after which nothing came. */
export function endOf({ events, steps }: Recording): End {
  const last = Math.max(0, ...events.map(({ t }) => t));
  const at = Math.max(last, steps.at(-1)?.t ?? 0);
  return { at, quiet: at - last };
}

/**
 * What the real controllers did, with the commands that made them do it.
 * @throws UnusableFile when the file is no scenario recording, or a damaged one.
 */
export function loadRecording(file: string): Recording {
  const [first, ...lines] = readJsonLines(file);
  if (first === undefined) throw new UnusableFile(`${file} is empty`);
  const { date, namespace, steps } = parseLine(first, headSchema, 'head of a scenario');
  const events = lines.map((line) => parseLine(line, eventSchema, 'watch event'));
  return {
    name: path.basename(file, '.jsonl'),
    start: Date.parse(date),
    namespace,
    steps,
    events: sortByVersion(events),
  };
}

export const sortByVersion = (events: Seen[]): Seen[] =>
  events.sort((a, b) => Number(a.object.metadata.resourceVersion) - Number(b.object.metadata.resourceVersion));
