import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Listener } from '../apiserver/serving/listener';

/** What a fault does to a request. */
export interface Say {
  delayMs?: number;
  /** It waits until then. */
  until?: Promise<void>;
  /** Answered in the place of what was asked. */
  answer?: { status: number; headers?: Record<string, string>; body: string };
  /** The connection breaks after this many bytes of the answer's body. */
  cutAfterBytes?: number;
}

/** One fault's say about a request; undefined when it has none. */
export type DoorRule = (request: IncomingMessage) => Say | undefined;

/** An HTTP server as faults see it. */
export class HttpDoor {
  readonly #rules = new Set<DoorRule>();

  constructor(readonly listener: Listener) {}

  /** Returns the way to end it. */
  add(rule: DoorRule): () => void {
    this.#rules.add(rule);
    return () => void this.#rules.delete(rule);
  }

  /** Resolves to true when a fault has answered. Waits add up; the first rule that answers decides. */
  async faulty(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const says = [...this.#rules].flatMap((rule) => rule(request) ?? []);
    if (says.length === 0) return false;
    const delayMs = says.reduce((sum, say) => sum + (say.delayMs ?? 0), 0);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    await Promise.all(says.map(({ until }) => until));
    const answer = says.find((say) => say.answer !== undefined)?.answer;
    if (answer !== undefined) {
      response.writeHead(answer.status, { 'Content-Type': 'text/plain', ...answer.headers }).end(answer.body);
      return true;
    }
    const cut = Math.min(...says.map((say) => say.cutAfterBytes ?? Number.POSITIVE_INFINITY));
    if (Number.isFinite(cut)) cutAfter(response, cut);
    return false;
  }
}

/** What is over the limit is not sent; the connection breaks in its place, without an end. */
function cutAfter(response: ServerResponse, limit: number): void {
  let left = limit;
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  /** What it did with the chunk: all of it may go, or the connection is lost. */
  const passes = (chunk: unknown): boolean => {
    const bytes = typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.alloc(0);
    if (left >= 0 && bytes.length <= left) {
      left -= bytes.length;
      return true;
    }
    if (left > 0) write(bytes.subarray(0, left));
    left = -1;
    response.socket?.destroySoon();
    return false;
  };
  response.write = (...args: unknown[]) => passes(args[0]) && write(...args);
  response.end = (...args: unknown[]) => (passes(args[0]) ? end(...args) : response);
}
