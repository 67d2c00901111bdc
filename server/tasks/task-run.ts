import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { outputTailBytes, type StepName, type TaskProblem } from '@/lib/contracts/tasks';
import { inTime } from '../in-time';
import { log } from '../log';
import { CodeRun } from './code-run';
import { codePath, endCode } from './command';
import { type Claimed, type E2b, home } from './e2b';
import { Origin, type PoolWatch } from './origin';
import { problemOf, TaskStop } from './problems';
import { Progress, type TaskListener } from './progress';
import { freshSteps, type TaskRecord } from './record';
import { collectResults } from './results';
import type { TaskInputs, TaskStore } from './store';

/** A claim that is not wanted any more is waited for so long, to give back at once what it brings. */
const claimGraceMs = 10_000;
/** One result waits so long for the database before the next is fetched. */
const storeMs = 5_000;
/** The sandbox ends by itself so long after the limit of its task. */
const spareMs = 120_000;
const releaseWaitsMs = [0, 500, 1_500, 3_000];
/** 128 + 9 of a shell and -1 of the runtime: the process was killed from outside. */
const killedCodes = new Set([137, -1]);

export type RunContext = {
  e2b: E2b;
  store: TaskStore;
  watch: PoolWatch;
  installation: string;
  runner: string;
  /** Not to be printed, stored or told. */
  secrets: readonly string[];
  now: () => number;
  clusterNow: () => number;
};

/** Somebody wants it to end, or another process goes on with it. */
class Cancelled extends Error {}

/** One task from its claim to the release; whatever happens in between, what was claimed is given back or said not to be. */
export class TaskRun {
  #progress: Progress;
  #context: RunContext;
  #inputs: TaskInputs;
  #sandbox: Claimed | undefined;
  /** A claim was sent whose answer did not come: there may be a sandbox. */
  #isInDoubt: boolean;
  #origin: Origin | undefined;
  #cancel = new AbortController();
  #taken = new AbortController();

  /** @param isInDoubt another process may have claimed one for it */
  constructor(record: TaskRecord, inputs: TaskInputs, context: RunContext, isInDoubt = false) {
    this.#progress = new Progress(record, context.store, context.runner, context.now, () => this.#leave());
    this.#inputs = inputs;
    this.#context = context;
    this.#isInDoubt = isInDoubt;
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
    const isOver = this.record.endedAt !== undefined || this.#progress.step('release').state !== 'todo';
    if (isOver) return false;
    this.#progress.change({ cancelled: true, state: 'cancelling' });
    this.#cancel.abort();
    return true;
  }

  /** Runs it from its first step. */
  async run(): Promise<void> {
    await this.#through(async () => {
      if (this.#isInDoubt) await this.#releaseDoubtful();
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
    await this.#through(async () => {
      const tail = await this.#context.store.tail(id, outputTailBytes);
      this.#progress.note('adopted');
      const { startedAt = this.#context.now(), state } = this.#progress.step('run');
      if (state === 'running' && sandbox) {
        const code = this.#codeRun(startedAt, tail);
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

  /** Its sandbox was given back later, by hand. */
  released(at: number): TaskRecord {
    const { sandbox } = this.record;
    if (sandbox) this.#progress.change({ keptUntil: undefined, sandbox: { ...sandbox, releasedAt: at } });
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
    if (this.taken.aborted) return;
    await this.#release();
    this.#finish();
  }

  async #claim(): Promise<Claimed> {
    const { e2b, watch, installation, clusterNow } = this.#context;
    const { id, pool, request } = this.record;
    const origin = new Origin(watch, pool, clusterNow);
    this.#origin = origin;
    const late = new AbortController();
    const onCancel = () => setTimeout(() => late.abort(), claimGraceMs).unref();
    this.#cancel.signal.addEventListener('abort', onCancel, { once: true });
    this.#isInDoubt = true;
    const sandbox = await e2b.claim({
      template: pool.name,
      installation,
      task: id,
      lifetimeMs: request.timeLimitSeconds * 1_000 + spareMs,
      onNoStock: request.onNoStock,
      signal: late.signal,
    });
    this.#sandbox = sandbox;
    this.#isInDoubt = false;
    this.#cancel.signal.removeEventListener('abort', onCancel);
    // The manager goes by the name alone: of two pools that share one it may take the other, and whether this person may claim
    // there has not been asked.
    const ns = await sandbox.namespace();
    if (ns !== undefined && ns !== pool.ns) throw new TaskStop('templateUnknown', { detail: `claimed in ${ns}` });
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

  #codeRun(startedAt: number, tail: Parameters<Progress['print']>[2] = []): CodeRun {
    const { e2b, secrets } = this.#context;
    this.#progress.print(startedAt, secrets, tail);
    return new CodeRun({ e2b, progress: this.#progress, secrets, startedAt, cancelled: this.#cancel.signal });
  }

  async #runCode(code: CodeRun, ended: Promise<number>): Promise<void> {
    try {
      const exitCode = await ended;
      this.output?.end();
      this.#progress.change({ exitCode, ...this.#problemOfExit(exitCode) });
    } catch (error) {
      if (code.sandbox && this.#wantsToKeep(true)) await this.#endCode(code.sandbox);
      throw error;
    } finally {
      this.#sandbox = code.sandbox ?? this.#sandbox;
    }
  }

  #problemOfExit(exitCode: number): { problem?: TaskProblem } {
    if (killedCodes.has(exitCode)) return { problem: { code: 'processKilled' } };
    const printed = this.output?.after(-1).filter(({ stream }) => stream === 'err') ?? [];
    const last = printed
      .map(({ text }) => text)
      .join('')
      .slice(-4_000);
    return exitCode !== 0 && /^MemoryError\b/m.test(last) ? { problem: { code: 'outOfMemory' } } : {};
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
      const results = await this.#step('collect', () =>
        collectResults(sandbox, uploaded, async (file) => {
          this.#progress.ledger.addFile(file);
          await this.stored(storeMs);
        }),
      );
      this.#progress.change({ results });
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      // How the code ended stands: only what it wrote is lost.
      this.#progress.note('resultsLost', problemOf(error, 'collect', this.#context.secrets).detail);
    }
  }

  /** @param hasFailed before the outcome is known */
  #wantsToKeep(hasFailed = this.record.exitCode !== 0 || this.record.problem !== undefined): boolean {
    const { do: what } = this.record.request.afterwards;
    if (this.taken.aborted || this.record.cancelled || this.record.problem?.code === 'sandboxGone') return false;
    return what === 'keep' || (what === 'keepOnFailure' && hasFailed);
  }

  async #release(): Promise<void> {
    const id = this.#sandbox?.id ?? this.record.sandbox?.id;
    this.#progress.skip(['claim', 'write', 'run', 'collect']);
    const isKept = id !== undefined && this.#wantsToKeep() && (await this.#keep());
    if (isKept || (id === undefined && !this.#isInDoubt)) return this.#progress.skip(['release']);
    this.#progress.setStep('release', { state: 'running', startedAt: this.#context.now() });
    const isDone = id === undefined ? await this.#releaseDoubtful() : await this.#kill(id);
    this.#progress.setStep('release', { state: isDone ? 'done' : 'failed', endedAt: this.#context.now() });
  }

  /** False: it could not be kept. */
  async #keep(): Promise<boolean> {
    const sandbox = this.#sandbox;
    const { afterwards } = this.record.request;
    if (!sandbox || afterwards.do === 'release') return false;
    try {
      const keepMs = afterwards.minutes * 60_000;
      await sandbox.keepFor(keepMs);
      const endAt = await sandbox.endAt();
      if (this.record.cancelled) return false;
      if (endAt !== undefined) this.#progress.sandbox({ id: sandbox.id, endAt });
      // One that never ends by itself is swept up when its time is over.
      this.#progress.change({ keptUntil: endAt ?? this.#context.now() + keepMs });
      return true;
    } catch (error) {
      this.#progress.note('notKept', problemOf(error, 'release', this.#context.secrets).detail);
      return false;
    }
  }

  async #kill(id: string): Promise<boolean> {
    const { e2b, now, watch, secrets } = this.#context;
    const uid = this.record.sandbox?.uid;
    const row = uid === undefined ? undefined : watch.row('sandboxes', uid);
    let detail: string | undefined;
    for (const wait of releaseWaitsMs) {
      await delay(wait);
      try {
        await e2b.kill(id);
        // Of a failed one, the manager says that it is deleted, and does nothing.
        if (row?.phase === 'Failed') break;
        this.#progress.sandbox({ id, releasedAt: now() });
        return true;
      } catch (error) {
        detail = problemOf(error, 'release', secrets).detail;
      }
    }
    this.#progress.note('notReleased', detail);
    return false;
  }

  /** What a claim brought whose answer was not heard. What it still brings is the sweeper's. */
  async #releaseDoubtful(): Promise<boolean> {
    const { e2b, installation, secrets } = this.#context;
    try {
      for (const { id, task } of await e2b.own(installation)) if (task === this.record.id) await e2b.kill(id);
      this.#isInDoubt = false;
      return true;
    } catch (error) {
      this.#progress.note('notReleased', problemOf(error, 'release', secrets).detail);
      return false;
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
    const { startedAt = this.#context.now() } = this.#progress.step(name);
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
