import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { outputTailBytes, type StepName } from '@/lib/contracts/tasks';
import { HistoryUnavailable } from '../history/database';
import { inTime } from '../in-time';
import { log } from '../log';
import { CodeRun } from './code-run';
import { codePath, endCode } from './command';
import type { TaskFile, TaskInputs } from './contents';
import { type Claimed, home } from './e2b';
import { Origin } from './origin';
import { isRefusal, problemOf, problemOfExit, TaskStop } from './problems';
import { Progress, type StoredOutput, type TaskListener } from './progress';
import { freshSteps, isPastCancel, type TaskRecord } from './record';
import { Release } from './release';
import { collectResults } from './results';
import type { RunContext } from './run-context';

const againMs = 1_000;
/** A claim that is not wanted any more is waited for so long, to give back at once what it brings. */
const claimGraceMs = 10_000;
/** One result waits so long for the database before the next is fetched. */
const storeMs = 5_000;
/** The sandbox ends by itself so long after the limit of its task. */
const spareMs = 120_000;

/** Somebody wants it to end, or another process goes on with it. */
class Cancelled extends Error {}

/** One task from its claim to the release; whatever happens in between, what was claimed is given back or said not to be. */
export class TaskRun {
  #progress: Progress;
  #context: RunContext;
  #inputs: TaskInputs = { files: [], env: {} };
  #sandbox: Claimed | undefined;
  #origin: Origin | undefined;
  #release: Release;
  #cancel = new AbortController();
  #taken = new AbortController();

  /** @param isInDoubt another process may have claimed one for it */
  constructor(record: TaskRecord, context: RunContext, isInDoubt = false) {
    this.#progress = new Progress(record, context.store, context.runner, context.now, () => this.#leave());
    this.#context = context;
    this.#release = new Release(this.#progress, context, isInDoubt);
    if (record.cancelled) this.#cancel.abort();
  }

  get record(): TaskRecord {
    return this.#progress.record;
  }

  get output() {
    return this.#progress.output;
  }

  /** Aborted when another process has taken it over, because this one was not heard of: what is told here is old then. */
  get taken(): AbortSignal {
    return this.#taken.signal;
  }

  listen(listener: TaskListener): () => void {
    return this.#progress.listen(listener);
  }

  /** False: it is being given back already, or has ended. */
  cancel(): boolean {
    if (isPastCancel(this.record)) return false;
    this.#progress.change({ cancelled: true, state: 'cancelling' });
    this.#cancel.abort();
    return true;
  }

  /** Runs it from its first step. */
  async run(): Promise<void> {
    await this.#through(async () => {
      // What cannot be given back now is the sweeper's.
      if (this.#release.isInDoubt) await this.#release.killDoubtful().catch(() => undefined);
      const { contents } = this.#context.store;
      // Those of all that wait would be too much to keep.
      this.#inputs = await this.#read(() => contents.inputs(this.record.id));
      const state = this.record.cancelled ? 'cancelling' : 'running';
      this.#progress.change({ state, steps: freshSteps() });
      const sandbox = await this.#step('claim', () => this.#claim());
      await this.#step('write', () => this.#write(sandbox));
      await this.#step('run', () => {
        const code = this.#codeRun(this.#context.now());
        return this.#runCode(code, code.start(sandbox, this.#inputs.env));
      });
      await this.#collect();
    });
  }

  /** Goes on with one that another process has started to run: the code runs, has run, or is gone. */
  async goOn(): Promise<void> {
    const { sandbox, pid, id } = this.record;
    const { contents } = this.#context.store;
    await this.#through(async () => {
      this.#progress.note('adopted');
      const tail = await this.#read(() => contents.tail(id, outputTailBytes));
      const counts = await this.#read(() => contents.counts(id));
      const { startedAt = this.#context.now(), state } = this.#progress.step('run');
      if (state === 'running' && sandbox) {
        const code = this.#codeRun(startedAt, { counts, tail });
        await this.#step('run', () => this.#runCode(code, code.find(sandbox.id, pid)));
      } else if (sandbox) this.#sandbox = await this.#reached(sandbox.id);
      if (this.#isToCollect) await this.#collect();
    });
  }

  get #isToCollect(): boolean {
    return this.record.exitCode !== undefined && this.#progress.step('collect').state !== 'done';
  }

  /** One whose code has ended. That it is gone does not change how. */
  async #reached(id: string): Promise<Claimed | undefined> {
    const { e2b, secrets } = this.#context;
    try {
      return await e2b.attach(id);
    } catch (error) {
      if (this.#isToCollect) this.#progress.note('resultsLost', problemOf(error, 'collect', secrets).detail);
      return undefined;
    }
  }

  /** Its sandbox is the other process's now. */
  #leave(): void {
    this.#taken.abort();
    this.#cancel.abort();
  }

  /** Settles when what happened is stored, or cannot be for the moment. @param ms no longer than this */
  stored(ms: number): Promise<void> {
    return inTime(this.#progress.ledger.stored(), ms);
  }

  get isStored(): boolean {
    return this.#progress.ledger.isDone;
  }

  /** What became of its sandbox after its end. */
  amend(change: Partial<TaskRecord>): TaskRecord {
    this.#progress.change(change);
    return this.record;
  }

  /** Nothing more is heard of its sandbox. */
  end(): void {
    this.#origin?.end();
  }

  async #through(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Cancelled)) this.#fail(error);
    }
    this.output?.end();
    // Whether another process has taken it over is told by what is stored: its sandbox is that one's then.
    await this.stored(storeMs);
    if (this.taken.aborted) return;
    await this.#release.run(this.#sandbox);
    this.#finish();
  }

  /** Out of the database, which is waited for: that it does not answer is not the task's fault. */
  async #read<T>(ask: () => Promise<T>): Promise<T> {
    const { signal } = this.#cancel;
    while (!signal.aborted) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof HistoryUnavailable)) throw error;
      }
      await delay(againMs, undefined, { signal }).catch(() => undefined);
    }
    throw new Cancelled();
  }

  async #claim(): Promise<Claimed> {
    const { e2b, watch, installation, clusterNow } = this.#context;
    const { id, pool, request } = this.record;
    const origin = new Origin(watch, pool, clusterNow);
    this.#origin = origin;
    const late = new AbortController();
    const onCancel = () => setTimeout(() => late.abort(), claimGraceMs).unref();
    this.#cancel.signal.addEventListener('abort', onCancel, { once: true });
    origin.seek(id, (pending) => this.#progress.change({ pending }));
    const wasInDoubt = this.#release.isInDoubt;
    this.#release.isInDoubt = true;
    const asked = {
      template: pool.name,
      installation,
      task: id,
      lifetimeMs: request.timeLimitSeconds * 1_000 + spareMs,
      onNoStock: request.onNoStock,
      signal: late.signal,
    };
    const sandbox = await e2b.claim(asked).catch((error: unknown) => {
      origin.end();
      if (isRefusal(error)) this.#release.isInDoubt = wasInDoubt;
      throw error;
    });
    this.#sandbox = sandbox;
    this.#release.isInDoubt = false;
    this.#cancel.signal.removeEventListener('abort', onCancel);
    // The manager goes by the name alone: of two pools that share one it may take the other, and whether this person may claim
    // there has not been asked.
    const ns = await sandbox.namespace();
    if (ns !== undefined && ns !== pool.ns) throw new TaskStop('templateUnknown', { detail: `claimed in ${ns}` });
    this.#progress.change({ pending: undefined });
    origin.follow(sandbox.id, (seen) => this.#progress.sandbox(seen));
    return sandbox;
  }

  async #write(sandbox: Claimed): Promise<void> {
    const files = this.#inputs.files.map(({ name, base64 }) => ({
      path: `${home}/${name}`,
      data: new Uint8Array(Buffer.from(base64, 'base64')).buffer,
    }));
    await sandbox.write([...files, { path: codePath, data: this.record.request.code }], this.#cancel.signal);
    // They are large, and are not asked for again.
    this.#inputs = { ...this.#inputs, files: [] };
  }

  #codeRun(startedAt: number, stored?: StoredOutput): CodeRun {
    const { e2b, secrets } = this.#context;
    this.#progress.print(startedAt, secrets, stored);
    return new CodeRun({ e2b, progress: this.#progress, secrets, startedAt, cancelled: this.#cancel.signal });
  }

  async #runCode(code: CodeRun, ended: Promise<number>): Promise<void> {
    try {
      const exitCode = await ended;
      this.output?.end();
      this.#progress.change({ exitCode, ...problemOfExit(exitCode, this.output?.after(-1)) });
    } catch (error) {
      if (code.sandbox && !this.taken.aborted && this.#release.wantsToKeep(true)) await this.#endCode(code.sandbox);
      throw error;
    } finally {
      this.#sandbox = code.sandbox ?? this.#sandbox;
    }
  }

  async #endCode(sandbox: Claimed): Promise<void> {
    await endCode(sandbox).catch((error: unknown) => {
      const { detail } = problemOf(error, 'run', this.#context.secrets);
      log.warn({ key: 'task.unended', task: this.record.id, why: detail });
    });
  }

  async #collect(): Promise<void> {
    const sandbox = this.#sandbox;
    if (!sandbox) return;
    try {
      const uploaded = this.record.request.files.map(({ name }) => name);
      const keep = async (file: TaskFile) => {
        this.#progress.ledger.addFile(file);
        await this.stored(storeMs);
      };
      const results = await this.#step('collect', () => collectResults(sandbox, uploaded, keep, this.#cancel.signal));
      this.#progress.change({ results });
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      // How the code ended stands: only what it wrote is lost.
      this.#progress.note('resultsLost', problemOf(error, 'collect', this.#context.secrets).detail);
    }
  }

  #finish(): void {
    const { exitCode, problem, cancelled } = this.record;
    const byExit = exitCode === 0 ? 'succeeded' : 'failed';
    const byProblem = problem?.code === 'resultUnknown' ? 'unknown' : 'error';
    if (this.output?.isRedacted) this.#progress.note('redacted');
    this.#progress.change({
      state: cancelled ? 'cancelled' : exitCode === undefined ? byProblem : byExit,
      endedAt: this.#context.now(),
      pending: undefined,
    });
  }

  #fail(error: unknown): void {
    const step = this.record.steps.find(({ state }) => state === 'failed')?.name ?? 'run';
    const { e2b, secrets } = this.#context;
    const problem = problemOf(error, step, secrets);
    const { retryAfterSeconds } = e2b;
    if (problem.code === 'rateLimited' && retryAfterSeconds !== undefined)
      Object.assign(problem, { retryAfterSeconds });
    if (problem.code === 'oddAnswer') log.warn({ key: 'task.odd', task: this.record.id, step, why: problem.detail });
    this.#progress.change({ problem });
  }

  async #step<T>(name: StepName, work: () => Promise<T>): Promise<T> {
    if (this.#cancel.signal.aborted) throw new Cancelled();
    // The code goes on in its sandbox when another process takes it up; else a step begins again.
    const startedAt = (name === 'run' ? this.#progress.step(name).startedAt : undefined) ?? this.#context.now();
    this.#progress.setStep(name, { state: 'running', startedAt });
    try {
      const value = await work();
      this.#progress.setStep(name, { state: 'done', endedAt: this.#context.now() });
      if (this.#cancel.signal.aborted) throw new Cancelled();
      return value;
    } catch (error) {
      if (this.#progress.step(name).state === 'running') {
        this.#progress.setStep(name, { state: 'failed', endedAt: this.#context.now() });
      }
      throw this.#cancel.signal.aborted ? new Cancelled() : error;
    }
  }
}
