import { type Problem, problem } from '@/lib/contracts/problem';
import { type RowsReply, rowsReply, type StreamMessage, streamMessage } from '@/lib/contracts/stream';
import type { LiveEnvironment } from './environment';

const listTimeoutMs = 30_000;

/** Carries what the page shows when rows could not be read. */
export class ReadError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

const unavailable = (status: number, message: string): ReadError =>
  new ReadError({ code: 'upstream_unavailable', status, message, requestId: '' });

/**
 * One list of the scope.
 * @throws {ReadError} with the server's own problem where it sent one
 */
export async function readRows(
  environment: Pick<LiveEnvironment, 'fetch'>,
  url: string,
  aborted: AbortSignal,
): Promise<RowsReply> {
  let response: Response;
  let body: unknown;
  try {
    response = await environment.fetch(url, AbortSignal.any([aborted, AbortSignal.timeout(listTimeoutMs)]));
    body = await response.json();
  } catch (error) {
    throw unavailable(0, error instanceof Error ? error.message : String(error));
  }
  if (!response.ok) {
    const told = problem.safeParse(body);
    throw told.success ? new ReadError(told.data) : unavailable(response.status, response.statusText);
  }
  const reply = rowsReply.safeParse(body);
  if (!reply.success) throw unavailable(response.status, `unexpected answer: ${reply.error.issues[0]?.message}`);
  return reply.data;
}

/** Undefined for what this tab does not understand. */
export function readMessage(data: string): StreamMessage | undefined {
  try {
    return streamMessage.parse(JSON.parse(data));
  } catch {
    return undefined;
  }
}
