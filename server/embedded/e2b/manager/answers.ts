import type { ServerResponse } from 'node:http';

/** What a handler answers: JSON when there is a body, else nothing. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * A refusal. `code` is what the body says: 0 for an error that carries no status of its own, which goes out as 500
 * (recorded: create-errors).
 */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export const noContent: Answer = { status: 204 };
export const ok = (body: unknown): Answer => ({ status: 200, body });

/** Go's encoder ends a body with a line feed. */
const jsonText = (body: unknown): string => `${JSON.stringify(body)}\n`;

export function sendAnswer(response: ServerResponse, requestId: string, { status, body, headers }: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers, 'X-Request-ID': requestId });
  response.end(body === undefined ? undefined : jsonText(body));
}

/** Errors name the request in their body, not in a header. */
export function sendRefusal(response: ServerResponse, requestId: string, error: unknown): void {
  const { code, message } = error instanceof Refusal ? error : new Refusal(0, String(error));
  response.writeHead(code === 0 ? 500 : code, { 'Content-Type': 'application/json' });
  response.end(jsonText({ code, headers: null, message, request_id: requestId }));
}

/** What Go's http.Error writes. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(`${text}\n`);
}
