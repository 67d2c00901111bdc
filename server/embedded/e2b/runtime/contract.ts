import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the manager's `/init` gives a runtime: it comes back whole after a pause, in a new Pod. */
export interface RuntimeInit {
  /** `X-Access-Token` that every request must carry; undefined lets anyone in (`skip-init-runtime`). */
  readonly token: string | undefined;
  /** Environment of every command. */
  readonly env: Readonly<Record<string, string>>;
}

/** The runtimes of one embedded cluster: one for each Pod that was spoken to, known by the uid of the Pod. */
export interface Runtimes {
  /** What `POST /init` does; may come before anything else is asked, and makes the start of Python cheaper later. */
  init(podUid: string, init: RuntimeInit): void;
  /**
   * Answers one request that the gateway routed to port 49983 of this Pod.
   * @param path path and query as the runtime sees them, without a routing prefix
   */
  handle(podUid: string, path: string, request: IncomingMessage, response: ServerResponse): void;
  /** The Pod is gone: processes are killed, streams are cut without an end frame, files are deleted. Unknown uids are no error. */
  kill(podUid: string): Promise<void>;
  /** Everything ends; called when the cluster ends. */
  close(): Promise<void>;
}

/** `runtimes.ts` exports `startRuntimes`. */
export type StartRuntimes = (options: {
  /** An own folder, made and deleted by the runtimes. */
  readonly dir: string;
}) => Runtimes;
