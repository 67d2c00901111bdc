import path from 'node:path';
import type { z } from 'zod';
import { type KubeObject, type Sandbox, sandboxSchema } from '../../controllers/client/objects';
import { compareLives } from './compare';
import { livesOf } from './lives';
import { loadRecording, type Seen } from './recording';
import type { End } from './sequences';
import type { Difference } from './types';

export const fileOf = (name: string): string =>
  path.join(import.meta.dirname, '../../../testing/recordings', `${name}.jsonl`);

/** What the comparison finds between a recording and a copy of it that was changed. */
export function found(name: string, change: (events: Seen[]) => Seen[], end?: End): Difference[] {
  const { events, namespace } = loadRecording(fileOf(name));
  const changed = change(structuredClone(events));
  return compareLives(name, livesOf(events, namespace), livesOf(changed, namespace), end);
}

/** The events with the objects of one kind changed; those for which `edit` returns 'left out' are gone. */
export function edited<T extends KubeObject>(
  events: Seen[],
  kind: string,
  schema: z.ZodType<T>,
  edit: (object: T) => unknown,
): Seen[] {
  return events.flatMap((event) => {
    if (event.kind !== kind) return [event];
    const object = schema.parse(event.object);
    return edit(object) === 'left out' ? [] : [{ ...event, object }];
  });
}

export const sandboxes = (events: Seen[], edit: (sandbox: Sandbox) => void): Seen[] =>
  edited(events, 'sandboxes', sandboxSchema, edit);

/** The events with the Events of one reason changed. */
export const told = (events: Seen[], reason: string, edit: (event: Seen) => Seen[]): Seen[] =>
  events.flatMap((event) => (event.kind === 'events' && event.object.reason === reason ? edit(event) : [event]));
