import { LIMITS } from './limits';
import { systemError } from './reasons';

export type Signal = 'SIGKILL' | 'SIGTERM';
export type Exit = { readonly code: number } | { readonly signal: Signal };

/** Thrown inside a command that was killed, so that it does nothing more. */
export class Killed extends Error {}

/** One process as the sandbox sees it: a shell or a program, run in this very process unless it is Python. */
export class Process {
  readonly exited: Promise<Exit>;
  private readonly killing = new AbortController();
  private settle!: (exit: Exit) => void;

  constructor(
    readonly pid: number,
    /** What `ps` shows. */
    readonly command: string,
  ) {
    this.exited = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  /** Aborted when the process is killed. */
  get killed(): AbortSignal {
    return this.killing.signal;
  }

  kill(signal: Signal): void {
    this.settle({ signal });
    this.killing.abort(new Killed());
  }

  exit(code: number): void {
    this.settle({ code });
  }

  /** Says what a part of the process became; never later than its kill. */
  async run(work: () => Promise<number>): Promise<Exit> {
    work().then(
      (code) => this.exit(code),
      (error) => {
        // A command that was killed has its exit already; a fault of this program must not take others with it.
        if (!(error instanceof Killed)) this.exit(1);
      },
    );
    return this.exited;
  }
}

/** The processes of one sandbox. */
export class ProcessTable {
  private readonly running = new Map<number, Process>();
  private lastPid = 30;

  /** @throws EAGAIN when there are too many */
  start(command: string): Process {
    if (this.running.size >= LIMITS.processes) throw systemError('EAGAIN');
    this.lastPid += 1;
    const process = new Process(this.lastPid, command);
    this.running.set(process.pid, process);
    process.exited.then(() => this.running.delete(process.pid));
    return process;
  }

  get(pid: number): Process | undefined {
    return this.running.get(pid);
  }

  list(): Process[] {
    return [...this.running.values()];
  }

  killAll(): void {
    for (const process of this.list()) process.kill('SIGKILL');
  }
}
