import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** An answer put in the place of the real one: refused, late, or never. */
export interface Fault {
  status?: number;
  body?: string | object;
  headers?: Record<string, string>;
  delayMs?: number;
  /** Takes the request and never answers. */
  hang?: boolean;
}

/** A request as a fault sees it, before anything has looked at it. */
export interface FaultyRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  socket: Socket;
}

export type FaultHook = (request: FaultyRequest) => Fault | undefined;

/** Plays a fault; false when the real answer should follow after its delay. */
export async function inject(
  { status, body, headers, delayMs = 0, hang }: Fault,
  response: ServerResponse,
): Promise<boolean> {
  if (hang === true) return true;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (status === undefined) return false;
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  return true;
}
