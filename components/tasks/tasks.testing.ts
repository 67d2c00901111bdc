import { vi } from 'vitest';
import type { Runner, Task, TaskMessage, TaskStep } from '@/lib/contracts/tasks';

export const ready: Runner = {
  state: 'ready',
  manager: 'http://manager',
  running: 1,
  limit: 8,
  perPerson: 4,
  queued: 0,
  mine: 1,
};

const steps: readonly TaskStep['name'][] = ['claim', 'write', 'run', 'collect', 'release'];

/** A task that runs; `over` of it. The steps before `at` took 100 ms each. */
export function aTask(over: Partial<Task> = {}, at: TaskStep['name'] | 'over' = 'run'): Task {
  const now = Date.now();
  const index = at === 'over' ? steps.length : steps.indexOf(at);
  return {
    id: 't1',
    version: 1,
    time: now,
    state: at === 'over' ? 'succeeded' : 'running',
    pool: { ns: 'demo', name: 'tools' },
    title: 'print("hi")',
    createdAt: now - 1_000,
    ...(at === 'over' ? { endedAt: now, exitCode: 0 } : {}),
    durations: {},
    request: {
      code: 'print("hi")',
      files: [],
      env: [],
      timeLimitSeconds: 60,
      afterwards: { do: 'release' },
      onNoStock: 'create',
    },
    steps: steps.map((name, each) => ({
      name,
      state: each < index ? 'done' : each === index ? 'running' : 'todo',
      ...(each <= index ? { startedAt: now - 900 + each * 100 } : {}),
      ...(each < index ? { endedAt: now - 800 + each * 100 } : {}),
    })),
    results: [],
    notes: [],
    output: { chunks: 0, outBytes: 0, errBytes: 0 },
    ...over,
  };
}

/** Streams of tasks that the test speaks into, in place of the browser's EventSource. */
export function fakeStreams() {
  const opened: FakeEventSource[] = [];
  class FakeEventSource extends EventTarget {
    onerror: (() => void) | null = null;
    isClosed = false;
    constructor(readonly url: string) {
      super();
      opened.push(this);
    }
    close() {
      this.isClosed = true;
    }
    say(...messages: TaskMessage[]) {
      for (const message of messages) {
        this.dispatchEvent(new MessageEvent(message.type, { data: JSON.stringify(message) }));
      }
    }
  }
  vi.stubGlobal('EventSource', FakeEventSource);
  return {
    opened,
    get last() {
      const last = opened.at(-1);
      if (!last) throw new Error('no stream was opened');
      return last;
    },
  };
}

export const out = (seq: number, text: string, stream: 'out' | 'err' = 'out') => ({ seq, at: seq, stream, text });
