import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandHandle } from 'e2b';
import { log } from '../log';
import { commandEnv, exitCodeOf, leftExitCode, runCommand } from './command';
import type { Claimed, CommandOptions, E2b } from './e2b';
import { isLost, problemOf, TaskStop } from './problems';
import type { Progress } from './progress';

/** After the time limit, or past it after the loss, a lost connection is tried again for so long. */
const lostGraceMs = 30_000;
const betweenTriesMs = 1_000;

type CodeRunOptions = {
  e2b: E2b;
  progress: Progress;
  secrets: readonly string[];
  /** The time limit counts from here; of one that is started, from when it runs. */
  startedAt: number;
  /** Aborted when somebody wants it to end. */
  cancelled: AbortSignal;
};

/** The code of one task while it runs: its output, its limits, and how it ended, also over lost connections. */
export class CodeRun {
  /** The one it was last reached in. */
  sandbox: Claimed | undefined;
  #options: CodeRunOptions;
  #limitMs: number;
  /** When it was last heard of. */
  #lostAt = 0;
  #interrupt: (why: Error) => void = () => undefined;
  /** Aborted with the end, whatever it was: nobody listens from then on. */
  #over = new AbortController();
  #interrupted: Promise<never>;

  constructor(options: CodeRunOptions) {
    this.#options = options;
    this.#limitMs = options.progress.record.request.timeLimitSeconds * 1_000;
    this.#interrupted = new Promise((_resolve, reject) => {
      this.#interrupt = reject;
    });
    // It may come before anybody waits.
    this.#interrupted.catch(() => undefined);
  }

  /** Starts it. @returns the exit code. @throws {TaskStop} at a limit, or when how it ended cannot be found out */
  start(sandbox: Claimed, env: Record<string, string>): Promise<number> {
    this.sandbox = sandbox;
    return this.#toItsEnd(() => this.#start(sandbox, env));
  }

  /** Goes on with one that another process has started. Also past its limit, how it ended can be found out. */
  find(id: string, pid: number | undefined): Promise<number> {
    return this.#toItsEnd(() => this.#find(id, pid));
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  async #toItsEnd(work: () => Promise<number>): Promise<number> {
    const { cancelled } = this.#options;
    const onCancel = () => this.#interrupt(new Error('cancelled'));
    cancelled.addEventListener('abort', onCancel, { once: true });
    try {
      return await Promise.race([work(), this.#interrupted]);
    } finally {
      cancelled.removeEventListener('abort', onCancel);
      this.#over.abort();
    }
  }

  /** Follows the code as long as it is heard of: at its limit it is stopped. One that is lost may have ended before. */
  async #follow(handle: CommandHandle, leftMs: number): Promise<number> {
    const limit = setTimeout(() => this.#interrupt(new TaskStop('timeLimit')), Math.max(0, leftMs));
    try {
      return await exitCodeOf(handle);
    } catch (error) {
      this.#lose();
      throw error;
    } finally {
      clearTimeout(limit);
    }
  }

  #lose(): void {
    const { progress } = this.#options;
    if (this.#isOver) return;
    this.#lostAt = progress.now();
    progress.setStep('run', { atMost: true });
  }

  async #start(sandbox: Claimed, env: Record<string, string>): Promise<number> {
    let pid: number | undefined;
    try {
      const handle = await sandbox.start(runCommand, { env: commandEnv(env), ...this.#listening() });
      pid = handle.pid;
      this.#options.progress.change({ pid });
      return await this.#follow(handle, this.#limitMs);
    } catch (error) {
      // What refused to start it did not run it; a connection that broke may have.
      if (this.#isOver || (pid === undefined && !isLost(error))) throw error;
      // A killed sandbox and a lost connection look alike at first.
      this.#options.progress.note('connectionLost');
      return this.#find(sandbox.id, pid);
    }
  }

  #listening(): Omit<CommandOptions, 'env'> {
    return {
      // The limit is kept here; the runtime's own would end only the shell.
      limitMs: this.#limitMs + lostGraceMs,
      signal: this.#over.signal,
      onOutput: (stream, text) => {
        const isTaken = this.#options.progress.output?.take(stream, text);
        if (isTaken === false) this.#interrupt(new TaskStop('outputTooLarge'));
      },
    };
  }

  /** Follows the code again, or finds out how it ended. */
  async #find(id: string, pid: number | undefined): Promise<number> {
    const { progress, startedAt } = this.#options;
    let detail: string | undefined;
    this.#lose();
    do {
      try {
        return await this.#reach(id, pid);
      } catch (error) {
        if (error instanceof TaskStop || this.#isOver) throw error;
        detail = this.#detailOf(error);
      }
      await delay(betweenTriesMs, undefined, { signal: this.#over.signal });
    } while (progress.now() < Math.max(this.#lostAt, startedAt + this.#limitMs) + lostGraceMs);
    throw new TaskStop('resultUnknown', { since: this.#lostAt, ...(detail === undefined ? {} : { detail }) });
  }

  async #reach(id: string, pid: number | undefined): Promise<number> {
    const { e2b, progress, startedAt } = this.#options;
    const sandbox = await e2b.attach(id);
    this.sandbox = sandbox;
    const isRunning = pid !== undefined && (await sandbox.isRunning(pid));
    if (!isRunning) {
      const exitCode = await leftExitCode(sandbox, this.#over.signal);
      if (exitCode === undefined) throw new TaskStop('resultUnknown');
      progress.note('reconnected');
      return exitCode;
    }
    const handle = await sandbox.follow(pid, this.#listening());
    progress.note('reconnected');
    progress.setStep('run', { atMost: undefined });
    return this.#follow(handle, startedAt + this.#limitMs - progress.now());
  }

  /** @throws the error itself when trying again cannot help */
  #detailOf(error: unknown): string | undefined {
    const { progress, secrets } = this.#options;
    const problem = problemOf(error, 'run', secrets);
    if (problem.code === 'sandboxGone') throw error;
    if (!isLost(error)) log.warn({ key: 'task.find', task: progress.record.id, detail: problem.detail });
    return problem.detail;
  }
}
