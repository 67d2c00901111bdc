import { type OutputChunk, type Task, type TaskMessage, taskMessage } from '@/lib/contracts/tasks';
import type { Line } from '@/lib/domain/tasks/open-line';
import { Screen } from '@/lib/domain/tasks/screen';
import { browserEnvironment } from '@/lib/live/environment';
import { Permit } from '@/lib/live/permit';
import { Retry } from '@/lib/live/retry';
import { Visibility } from '@/lib/live/visibility';
import { streamPath } from '../queries';

export type TaskView = {
  /** `waiting`: other tabs hold the connections of this browser. `lost`: it is tried again. `over`: nothing more comes. */
  state: 'connecting' | 'live' | 'waiting' | 'lost' | 'over';
  task?: Task;
  /** When it came, on the clock of `performance.now`. */
  heardAt: number;
  lines: readonly Line[];
  /** Lines that were here and are kept no more. */
  dropped: number;
  /** Bytes that were printed before and are not sent again. */
  skipped: number;
  /** Something in between did not come, and does not come any more. */
  hasGap: boolean;
};

const messageTypes = ['task', 'output', 'ended'] as const satisfies readonly TaskMessage['type'][];

/** A tab's turn comes at once where it is free, though never before its request has been answered. */
const turnMs = 1_000;

/** One task as its stream tells it. Connected while somebody looks; taken up again where it broke off. */
export class TaskFeed {
  #id: string;
  #listeners = new Set<() => void>();
  #view: TaskView = { state: 'connecting', heardAt: 0, lines: [], dropped: 0, skipped: 0, hasGap: false };
  #screen = new Screen();
  /** Number of the last chunk that was written. */
  #seen = -1;
  #pending: TaskMessage[] = [];
  #source: EventSource | undefined;
  /** Nothing of the output has come on this connection yet. */
  #isFresh = true;
  #permit = new Permit(browserEnvironment);
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #retry = new Retry(browserEnvironment.random);
  #visibility: Visibility | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  view = (): TaskView => this.#view;

  listen = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) this.#start();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  };

  /** What was heard of it on another way. An older version says nothing new. */
  know(task: Task): void {
    if (this.#view.task && this.#view.task.version > task.version) return;
    this.#show({ task, heardAt: performance.now() });
    const isWaiting = this.#view.state === 'connecting' || this.#view.state === 'waiting';
    if (this.#isEnded && isWaiting && !this.#source && this.#listeners.size > 0) this.#open();
  }

  /** As the server means it: one whose sandbox is not given back yet still has something to tell. */
  get #isEnded(): boolean {
    const { task } = this.#view;
    return task?.endedAt !== undefined && !task.unreleased;
  }

  #start(): void {
    this.#visibility = new Visibility(browserEnvironment, {
      released: () => this.#close(),
      seen: () => {
        if (!this.#source) this.#open();
      },
    });
    this.#visibility.start();
    this.#open();
  }

  #stop(): void {
    this.#visibility?.stop();
    this.#close();
  }

  #open(): void {
    if (this.#view.state === 'over') return;
    if (this.#isEnded) {
      // What it has to tell is told at once, as any request is answered: it needs no turn.
      this.#permit.release();
    } else if (!this.#permit.take(() => this.#open())) {
      clearTimeout(this.#waiting);
      this.#waiting = setTimeout(() => this.#show({ state: 'waiting' }), turnMs);
      return;
    }
    clearTimeout(this.#waiting);
    this.#retry.cancel();
    this.#source?.close();
    this.#isFresh = true;
    const source = new EventSource(streamPath(this.#id, this.#seen));
    this.#source = source;
    for (const type of messageTypes) source.addEventListener(type, ({ data }) => this.#hear(String(data)));
    source.onerror = () => {
      this.#close();
      this.#show({ state: 'lost' });
      this.#retry.schedule(() => this.#open());
    };
  }

  #close(): void {
    clearTimeout(this.#waiting);
    this.#source?.close();
    this.#source = undefined;
    this.#retry.cancel();
    this.#permit.release();
  }

  #hear(data: string): void {
    const message = read(data);
    // The server hangs up after its last word: that is no loss.
    if (message?.type === 'ended') this.#close();
    if (message && this.#pending.push(message) === 1) browserEnvironment.onFrame(() => this.#take());
  }

  /** All that came since the last frame, drawn at once. */
  #take(): void {
    const messages = this.#pending;
    this.#pending = [];
    if (this.#view.state === 'over') return;
    let { task, heardAt, skipped } = this.#view;
    let isOver = false;
    for (const message of messages) {
      if (message.type === 'ended') isOver = true;
      else if (message.type === 'output') {
        skipped += message.skipped ?? 0;
        if (!this.#write(message.chunks, message.skipped)) break;
      } else if (!task || message.task.version >= task.version) {
        task = message.task;
        heardAt = performance.now();
      }
    }
    this.#retry.reset();
    this.#show({
      // What came just before the connection broke does not mend it.
      ...(isOver ? { state: 'over' } : this.#source ? { state: 'live' } : {}),
      ...(task ? { task } : {}),
      heardAt,
      skipped,
      lines: this.#screen.lines(),
      dropped: this.#screen.dropped,
    });
  }

  /** False: some are missing in between, and are asked for again. */
  #write(chunks: readonly OutputChunk[], skipped: number | undefined): boolean {
    for (const { seq, stream, text } of chunks) {
      if (seq <= this.#seen) continue;
      if (seq > this.#seen + 1 && !this.#isFresh) {
        this.#close();
        this.#open();
        return false;
      }
      // Asked for and not there any more; what was left out on purpose is counted.
      if (seq > this.#seen + 1 && skipped === undefined) this.#view = { ...this.#view, hasGap: true };
      this.#isFresh = false;
      this.#screen.write(stream, text);
      this.#seen = seq;
    }
    return true;
  }

  #show(part: Partial<TaskView>): void {
    this.#view = { ...this.#view, ...part };
    for (const listener of this.#listeners) listener();
  }
}

function read(data: string): TaskMessage | undefined {
  try {
    return taskMessage.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}
