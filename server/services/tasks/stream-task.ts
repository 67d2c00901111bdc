import 'server-only';
import { type OutputChunk, outputTailBytes, type TaskMessage } from '@/lib/contracts/tasks';
import { isUnreleased, type TaskRecord, taskOf } from '../../tasks/record';
import type { TaskRun } from '../../tasks/task-run';
import type { Result } from '../result';
import { ownTask, type TasksContext } from './tasks-context';

/** Changes of a task that come faster are told together. */
const gatherMs = 50;
/** A task that another process runs is read from the database so often. */
const lookMs = 1_000;
/** A proxy must not take a quiet stream for a dead one. */
const breathMs = 15_000;
const highWaterMark = 1024 * 1024;

const encoder = new TextEncoder();
const encode = (message: TaskMessage) => encoder.encode(`event: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`);

/** One task as it goes on: what is known now, then every change, until it has ended and its sandbox is not left to be given back. */
export async function streamTask(
  ctx: TasksContext,
  id: string,
  after: number,
  signal: AbortSignal,
): Promise<Result<never> | Response> {
  const found = await ownTask(ctx, id);
  if (!found.ok) return found;
  const run = 'missing' in ctx.tasks ? undefined : ctx.tasks.run(id);
  const ahead = () => ('missing' in ctx.tasks ? undefined : ctx.tasks.ahead(id));
  const stop = new AbortController();
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const teller = new Teller(controller, stop, ahead);
        signal.addEventListener('abort', () => teller.close(), { once: true });
        if (signal.aborted) teller.close();
        else if (run) follow(ctx, run, after, teller, stop.signal);
        else void look(ctx, found.value, after, teller, stop.signal);
      },
      cancel: () => stop.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark }),
  );
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}

/** The other end of the stream. A browser that does not take what it is sent is let go: it asks again from where it was. */
class Teller {
  #controller: ReadableStreamDefaultController<Uint8Array>;
  #stop: AbortController;
  #ahead: () => number | undefined;
  #breath: NodeJS.Timeout;

  constructor(
    controller: ReadableStreamDefaultController<Uint8Array>,
    stop: AbortController,
    ahead: () => number | undefined,
  ) {
    this.#controller = controller;
    this.#stop = stop;
    this.#ahead = ahead;
    this.#breath = setInterval(() => this.#write(encoder.encode(': \n\n')), breathMs).unref();
    stop.signal.addEventListener('abort', () => clearInterval(this.#breath), { once: true });
    this.#write(encoder.encode(': task\nretry: 1000\n\n'));
  }

  task(record: TaskRecord): void {
    this.#write(encode({ type: 'task', task: taskOf(record, Date.now(), this.#ahead()) }));
  }

  output(chunks: OutputChunk[], skipped = 0): void {
    if (chunks.length === 0 && skipped === 0) return;
    this.#write(encode({ type: 'output', chunks, ...(skipped === 0 ? {} : { skipped }) }));
  }

  ended(): void {
    this.#write(encode({ type: 'ended' }));
    this.close();
  }

  close(): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#controller.close();
  }

  #write(bytes: Uint8Array): void {
    if (this.#stop.signal.aborted) return;
    this.#controller.enqueue(bytes);
    if ((this.#controller.desiredSize ?? 0) < 0) this.close();
  }
}

/** Bytes of what was printed and is neither sent nor was before. */
const skippedBytes = ({ output }: TaskRecord, after: number, chunks: readonly OutputChunk[]) => {
  if (after >= 0 || chunks[0] === undefined || chunks[0].seq === 0) return 0;
  const sent = chunks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return Math.max(0, output.outBytes + output.errBytes - sent);
};

function follow(ctx: TasksContext, run: TaskRun, after: number, teller: Teller, stopped: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    timer = undefined;
    teller.task(run.record);
    if (run.record.endedAt === undefined) return;
    if (isUnreleased(run.record)) return waitForRelease();
    if (run.record.sandbox?.refill === undefined) return waitForRefill();
    teller.ended();
  };
  // It may take long, and what has ended is soon told from the database alone.
  const waitForRelease = () => {
    end();
    void look(ctx, run.record, run.output ? run.output.counts.chunks - 1 : after, teller, stopped);
  };
  let patience: NodeJS.Timeout | undefined;
  // The proof that the pool filled up again comes a moment after the end.
  const waitForRefill = () => {
    if (run.record.sandbox?.origin !== 'warm') return teller.ended();
    patience ??= setTimeout(() => teller.ended(), 5_000);
  };
  const end = run.listen({
    changed: ({ endedAt }) => {
      if (endedAt === undefined) {
        timer ??= setTimeout(tell, gatherMs);
        return;
      }
      // Somebody waits for this one.
      clearTimeout(timer);
      timer = setTimeout(tell, 0);
    },
    printed: (chunks) => teller.output([...chunks]),
  });
  // The browser asks again, and is told what the other process stores.
  run.taken.addEventListener('abort', () => teller.close(), { once: true, signal: stopped });
  stopped.addEventListener(
    'abort',
    () => {
      clearTimeout(timer);
      clearTimeout(patience);
      end();
    },
    { once: true },
  );
  const chunks = run.output?.after(after) ?? [];
  teller.task(run.record);
  teller.output(chunks, skippedBytes(run.record, after, chunks));
  // Whoever opens an ended one is told what it printed before the stream ends.
  if (run.record.endedAt !== undefined) tell();
}

async function look(
  ctx: TasksContext,
  first: TaskRecord,
  after: number,
  teller: Teller,
  stopped: AbortSignal,
): Promise<void> {
  let seen = after;
  let version = -1;
  for (let record: TaskRecord | undefined = first; record && !stopped.aborted; ) {
    if (record.version !== version) teller.task(record);
    version = record.version;
    try {
      const chunks =
        seen < 0
          ? await ctx.store.contents.tail(first.id, outputTailBytes)
          : await ctx.store.contents.output(first.id, seen + 1, 500);
      teller.output(chunks, skippedBytes(record, seen, chunks));
      seen = chunks.at(-1)?.seq ?? seen;
      if (record.endedAt !== undefined && !isUnreleased(record) && chunks.length === 0) break;
      if (chunks.length === 0) await new Promise((resolve) => setTimeout(resolve, lookMs).unref());
      record = await ctx.store.find(first.id);
    } catch {
      // The browser asks again; by then the database may answer.
      return teller.close();
    }
  }
  teller.ended();
}
