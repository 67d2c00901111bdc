import { z } from 'zod';
import { InputError } from './input-error';

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

export interface Recording {
  /** Epoch ms of t = 0. */
  start: number;
  namespace: string;
  /** In the exact order of the API server's writes. */
  events: RecordedEvent[];
}

/** Whether a text begins as a recording does: one JSON object a line, the first says what was recorded. */
export function isRecording(text: string): boolean {
  return head.safeParse(parsed(text.slice(0, text.indexOf('\n')))).success;
}

/**
 * A recording of watch events.
 * @param name of the file, for errors
 * @throws InputError for what is none, with the line.
 */
export function parseRecording(text: string, name: string): Recording {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  const about = head.safeParse(parsed(first));
  const start = about.success ? Date.parse(about.data.date) : Number.NaN;
  if (!about.success || Number.isNaN(start)) {
    throw new InputError(`${name} line 1 is no beginning of a recording.`, 'It names scenario, date and namespace.');
  }
  const events = rest.map((text, index) => {
    const event = line.safeParse(parsed(text));
    if (event.success) return event.data;
    throw new InputError(
      `${name} line ${index + 2} is no watch event.`,
      'A line is {"t", "kind", "type", "object"}; the file may have been cut.',
    );
  });
  // Lines of different kinds come from different watches; within one store the version is the order.
  const version = (event: RecordedEvent) => Number(event.object.metadata.resourceVersion);
  return { start, namespace: about.data.namespace, events: events.sort((a, b) => version(a) - version(b)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
