import 'server-only';
import { subscribe } from 'node:diagnostics_channel';
import { type CommandHandle, type EntryInfo, FileType, Sandbox, type SandboxInfo } from 'e2b';
import { z } from 'zod';
import type { E2bAccess } from './config';

/** Metadata that the console's sandboxes are known by; it lands in their annotations. Plain names: a list filters by them. */
export const metadataKeys = { installation: 'agents-console-installation', task: 'agents-console-task' } as const;

/** Extensions of sandbox-manager, in the metadata of a create (domain reference 11.3). */
const extension = (name: string) => `e2b.agents.kruise.io/${name}`;

/** Of one claim: until a sandbox is found, and until a new one is ready. */
const claimSeconds = 30;
const readySeconds = 300;
const requestMs = 20_000;

/** Where the code and its files are, as the runtime's user. */
export const home = '/home/user';

export type ClaimRequest = {
  template: string;
  installation: string;
  task: string;
  /** It ends by itself then, whatever happens to the console. */
  lifetimeMs: number;
  onNoStock: 'create' | 'fail';
  signal: AbortSignal;
};

/** One of the console's own sandboxes as the manager lists them. `task` is what the metadata says. */
export type OwnSandbox = { id: string; task: string };

export type Claimed = {
  readonly id: string;
  /** The namespace that it is in; undefined: the manager does not say. */
  namespace(): Promise<string | undefined>;
  write(files: { path: string; data: string | ArrayBuffer }[], signal: AbortSignal): Promise<void>;
  /** Starts a command; the handle's `wait` is its end. The limit is the caller's: the runtime is given a little more. */
  start(command: string, options: CommandOptions): Promise<CommandHandle>;
  /** Follows one that runs already; what it printed before is not told. */
  follow(pid: number, options: Omit<CommandOptions, 'env'>): Promise<CommandHandle>;
  /** Whether the runtime still knows of the command. */
  isRunning(pid: number): Promise<boolean>;
  /** Runs to its end, without output. */
  sh(command: string): Promise<void>;
  /** Files of the home folder and the folders in it. */
  files(signal: AbortSignal): Promise<EntryInfo[]>;
  /** Undefined: it has more bytes than `most`, whatever a list said of it. */
  read(path: string, most: number, signal: AbortSignal): Promise<Buffer | undefined>;
  exists(path: string): Promise<boolean>;
  /** Its end, epoch ms; undefined: it has none (the manager says year 1, others 9999), or the answer names no time. */
  endAt(): Promise<number | undefined>;
  keepFor(ms: number): Promise<void>;
};

export type CommandOptions = {
  env: Record<string, string>;
  limitMs: number;
  signal: AbortSignal;
  onOutput(stream: 'out' | 'err', text: string): void;
};

/** The official client, as far as tasks need it. Its errors are thrown as they are: `problemOf` reads them. */
export class E2b {
  #options: { apiKey: string; apiUrl: string; sandboxUrl: string; retries: number; requestTimeoutMs: number };
  #retryAfter: { seconds: number; at: number } | undefined;

  constructor({ apiKey, apiUrl, sandboxUrl }: E2bAccess) {
    const { origin } = new URL(apiUrl);
    subscribe('undici:request:headers', (message) => {
      const seconds = retryAfterOf(message, origin);
      if (seconds !== undefined) this.#retryAfter = { seconds, at: performance.now() };
    });
    // Who asks too often is told so: nothing is asked again without a word.
    this.#options = { apiKey, apiUrl, sandboxUrl, retries: 0, requestTimeoutMs: requestMs };
  }

  async claim({ template, installation, task, lifetimeMs, onNoStock, signal }: ClaimRequest): Promise<Claimed> {
    const sandbox = await Sandbox.create(template, {
      ...this.#options,
      requestTimeoutMs: (claimSeconds + readySeconds) * 1_000 + requestMs,
      timeoutMs: lifetimeMs,
      metadata: {
        [metadataKeys.installation]: installation,
        [metadataKeys.task]: task,
        [extension('claim-timeout-seconds')]: String(claimSeconds),
        [extension('wait-ready-timeout-seconds')]: String(readySeconds),
        ...(onNoStock === 'fail' ? { [extension('create-on-no-stock')]: 'false' } : {}),
      },
      signal,
    });
    return claimed(sandbox);
  }

  /** Seconds that the manager just asked to wait for; its client does not tell. */
  get retryAfterSeconds(): number | undefined {
    const said = this.#retryAfter;
    return said && performance.now() - said.at < justNowMs ? said.seconds : undefined;
  }

  /** One that was claimed before. Its end is not brought nearer, nor moved by more than a minute from now. */
  async attach(id: string): Promise<Claimed> {
    return claimed(await Sandbox.connect(id, { ...this.#options, timeoutMs: 60_000 }));
  }

  /** False: it was not there any more. */
  kill(id: string): Promise<boolean> {
    return Sandbox.kill(id, this.#options);
  }

  /** All of this installation, each once: a server may repeat a page, or a row on the edge of two. */
  async own(installation: string): Promise<OwnSandbox[]> {
    const found = new Map<string, OwnSandbox>();
    const seen = new Set<string>();
    const paginator = Sandbox.list({
      ...this.#options,
      limit: 100,
      query: { metadata: { [metadataKeys.installation]: installation } },
    });
    while (paginator.hasNext) {
      const before = seen.size;
      for (const { sandboxId: id, metadata } of await paginator.nextItems()) {
        seen.add(id);
        // A server that does not know the filter lists everybody's.
        if (metadata[metadataKeys.installation] !== installation) continue;
        found.set(id, { id, task: metadata[metadataKeys.task] ?? '' });
      }
      if (seen.size === before) break;
    }
    return [...found.values()];
  }
}

const justNowMs = 1_000;

const refusedAnswer = z.object({
  request: z.object({ origin: z.union([z.string(), z.instanceof(URL)]) }),
  response: z.object({ statusCode: z.literal(429), headers: z.array(z.instanceof(Uint8Array)) }),
});

/** `Retry-After` of an answer 429 from there, in seconds; of dates nobody makes use. */
function retryAfterOf(message: unknown, origin: string): number | undefined {
  const { data } = refusedAnswer.safeParse(message);
  if (!data || new URL(data.request.origin).origin !== origin) return undefined;
  const texts = data.response.headers.map((bytes) => Buffer.from(bytes).toString('latin1'));
  const place = texts.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'retry-after');
  const value = place < 0 ? undefined : texts[place + 1];
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

function endOf({ endAt }: SandboxInfo): number | undefined {
  const year = endAt.getUTCFullYear();
  return year > 1970 && year < 9000 ? endAt.getTime() : undefined;
}

function claimed(sandbox: Sandbox): Claimed {
  const listen = ({ limitMs, signal, onOutput }: Omit<CommandOptions, 'env'>) => ({
    timeoutMs: limitMs,
    signal,
    onStdout: (text: string) => onOutput('out', text),
    onStderr: (text: string) => onOutput('err', text),
  });
  const id = sandbox.sandboxId;
  return {
    id,
    async namespace() {
      // `<namespace>--<name>`, unless the manager gives short ones.
      if (id.indexOf('--') > 0) return id.slice(0, id.indexOf('--'));
      const { metadata } = await sandbox.getInfo();
      return metadata[extension('sandbox-resource')]?.split('/')[0];
    },
    async write(files, signal) {
      await sandbox.files.write(files, { signal });
    },
    start: (command, { env, ...options }) =>
      sandbox.commands.run(command, { ...listen(options), background: true, envs: env }),
    follow: (pid, options) => sandbox.commands.connect(pid, listen(options)),
    async isRunning(pid) {
      return (await sandbox.commands.list()).some((each) => each.pid === pid);
    },
    async sh(command) {
      await sandbox.commands.run(command, { timeoutMs: requestMs });
    },
    async files(signal) {
      const entries = await sandbox.files.list(home, { depth: 4, signal });
      return entries.filter(({ type }) => type === FileType.FILE);
    },
    read: (path, most, signal) => readAtMost(sandbox, path, most, signal),
    exists: (path) => sandbox.files.exists(path),
    endAt: async () => endOf(await sandbox.getInfo()),
    keepFor: (ms) => sandbox.setTimeout(ms),
  };
}

async function readAtMost(
  sandbox: Sandbox,
  path: string,
  most: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const reader = (await sandbox.files.read(path, { format: 'stream', signal })).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > most) {
      await reader.cancel();
      return undefined;
    }
    parts.push(part.value);
  }
  return Buffer.concat(parts);
}
