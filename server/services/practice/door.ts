import 'server-only';
import { z } from 'zod';
import { type Environment, readEnvironment } from '@/server/env';
import { ok, type Result, refuse } from '../result';

// Ending a scenario waits until what it made is gone.
const timeoutMs = 90_000;
const refusal = z.object({
  error: z.string(),
  fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

/** The embedded cluster's control door; nothing on any other cluster, whatever else is set. */
export function doorUrl(env: Environment = readEnvironment()): string | undefined {
  return env.CONSOLE_EMBEDDED ? env.CONSOLE_PRACTICE_URL?.replace(/\/$/, '') : undefined;
}

/** Asks the control door. What it refuses keeps its words, which are for whoever runs the cluster. */
export async function askDoor(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Result<unknown>> {
  const url = doorUrl();
  if (url === undefined) return refuse('not_found', 'noPractice', {}, method === 'GET' ? {} : { applied: 'no' });
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
      ...(method === 'POST'
        ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }
        : {}),
    });
    const value: unknown = await answer.json();
    if (answer.ok) return ok(value);
    const { error: why = String(answer.status), fields } = refusal.safeParse(value).data ?? {};
    // What the door could not bring to its end may have been done in part.
    if (answer.status >= 500) {
      return refuse('upstream_unavailable', 'practiceRefused', { why }, method === 'GET' ? {} : { applied: 'unknown' });
    }
    const code = answer.status === 404 ? 'not_found' : answer.status === 409 ? 'conflict' : 'validation';
    return refuse(code, 'practiceRefused', { why }, { applied: 'no', ...(fields === undefined ? {} : { fields }) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuse('upstream_unavailable', 'practiceAway', { why }, method === 'GET' ? {} : { applied: 'unknown' });
  }
}
