import type { Socket } from 'node:net';
import type { ApiServer } from '../apiserver/server';
import type { Fault, FaultyRequest } from '../apiserver/serving/fault-hook';

/** One fault's say about a request; undefined when it has none. */
export type Rule = (request: FaultyRequest) => Fault | undefined;

export const isWatch = ({ url }: FaultyRequest): boolean => /[?&]watch=(1|true)\b/.test(url);

/** The API server as faults see it: several rules at once, and the connections that are open. */
export class ApiDoor {
  readonly #rules = new Set<Rule>();
  readonly #watching = new Set<Socket>();
  readonly #onWatch = new Set<(socket: Socket) => void>();
  readonly #known = new WeakSet<Socket>();
  readonly #withoutWebhooks = new Set<{ kinds: readonly string[] }>();

  constructor(
    readonly server: ApiServer,
    /** Gives a person another token, everywhere that this process keeps it. */
    readonly setToken: (person: string, token: string | undefined) => void = () => undefined,
  ) {
    server.setFault((request) => this.#answer(request));
  }

  /** Returns the way to end it. */
  add(rule: Rule): () => void {
    this.#rules.add(rule);
    return () => void this.#rules.delete(rule);
  }

  /** Calls `tell` with the connection of every watch that is open, and of each that opens until the end. */
  eachWatch(tell: (socket: Socket) => void): () => void {
    for (const socket of this.#watching) tell(socket);
    this.#onWatch.add(tell);
    return () => void this.#onWatch.delete(tell);
  }

  /** Several faults may want the webhooks away; they are back when the last one has ended. */
  takeWebhooks(kinds: readonly string[]): () => void {
    const one = { kinds };
    const tell = () => this.server.setWebhooksAway([...this.#withoutWebhooks].flatMap((each) => each.kinds));
    this.#withoutWebhooks.add(one);
    tell();
    return () => {
      this.#withoutWebhooks.delete(one);
      tell();
    };
  }

  /** Waits add up; the first rule that refuses or hangs decides. */
  #answer(request: FaultyRequest): Fault | undefined {
    this.#track(request);
    let delayMs = 0;
    for (const rule of this.#rules) {
      const found = rule(request);
      if (found === undefined) continue;
      delayMs += found.delayMs ?? 0;
      if (found.status !== undefined || found.hang === true) return { ...found, delayMs };
    }
    return delayMs === 0 ? undefined : { delayMs };
  }

  #track(request: FaultyRequest): void {
    const { socket } = request;
    if (!this.#known.has(socket)) {
      this.#known.add(socket);
      socket.once('close', () => this.#watching.delete(socket));
    }
    if (!isWatch(request)) {
      this.#watching.delete(socket);
      return;
    }
    this.#watching.add(socket);
    for (const tell of this.#onWatch) tell(socket);
  }
}
