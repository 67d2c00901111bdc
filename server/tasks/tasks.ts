import 'server-only';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Runner, TaskProblem, TaskRequest } from '@/lib/contracts/tasks';
import { HistoryUnavailable } from '../history/database';
import { log } from '../log';
import type { TaskInputs } from './contents';
import { isClusterAway } from './origin';
import { problemOf } from './problems';
import { freshSteps, type TaskRecord, titleOf } from './record';
import type { RunContext } from './run-context';
import { Runners } from './runners';
import type { TaskStore } from './store';
import { sweep, warn } from './sweep';
import { TaskRun } from './task-run';

const sweepMs = 30_000;
/** What a claim of an ended console still brings comes soon after the start of the next one. */
const firstSweepsMs = [2_000, 5_000, 12_000];
const askedMs = 2_000;
const dayMs = 86_400_000;
/** Of one person: more at once is an accident. */
const mostQueued = 50;
/** A task that has ended is told from memory for so long, for whoever still follows it. */
const rememberMs = 30_000;

export type TasksOptions = {
  context: Omit<RunContext, 'installation' | 'runner' | 'store'>;
  store: TaskStore;
  /** Where tasks go, without credentials. */
  manager: string;
  atOnce: number;
  perPerson: number;
  keepDays: number;
  /** Other consoles may use the same database. */
  isShared: boolean;
};

export type Submission = { record: TaskRecord } | { refused: 'tooMany'; most: number };

/** All tasks of this process: the queue, those that run, and the care that nothing which was claimed stays behind. */
export class Tasks {
  #options: TasksOptions;
  #runners: Runners;
  #installation: string | undefined;
  #queue: TaskRun[] = [];
  #running = new Set<TaskRun>();
  #known = new Map<string, TaskRun>();
  #timers: NodeJS.Timeout[] = [];
  #unwatch: () => void = () => undefined;
  #isStopped = false;
  #isCaring = false;

  constructor(options: TasksOptions) {
    this.#options = options;
    this.#runners = new Runners(options.store.runners);
  }

  /** Takes up what was left behind, and looks from then on for sandboxes that nobody needs. */
  start(): void {
    void this.#care();
    this.#unwatch = this.#options.context.watch.onState(() => this.#pump());
    this.#timers = [
      ...firstSweepsMs.map((ms) => setTimeout(() => void this.#care(), ms).unref()),
      setInterval(() => void this.#care(), sweepMs).unref(),
      ...(this.#options.isShared ? [setInterval(() => void this.#hearCancels(), askedMs).unref()] : []),
    ];
  }

  /** The tasks that run go on in their sandboxes: the next process takes them up. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#unwatch();
    this.#runners.stop();
    await Promise.all([...this.#known.values()].map((run) => run.stored(500)));
    await this.#runners.leave();
  }

  /** @throws {HistoryUnavailable} when it cannot be stored: then nothing is claimed */
  async submit(person: string, request: TaskRequest, files: TaskInputs['files']): Promise<Submission> {
    const mine = this.#queue.filter(({ record }) => record.person === person);
    if (mine.length >= mostQueued) return { refused: 'tooMany', most: mostQueued };
    const { now } = this.#options.context;
    const inputs = { files, env: request.env };
    const record: TaskRecord = {
      id: `task-${randomBytes(6).toString('hex')}`,
      person,
      version: 0,
      state: 'queued',
      pool: request.pool,
      title: titleOf(request.code),
      createdAt: now(),
      request: {
        code: request.code,
        files: files.map(({ name, base64 }) => ({ name, bytes: Buffer.byteLength(base64, 'base64') })),
        env: Object.keys(request.env),
        timeLimitSeconds: request.timeLimitSeconds,
        afterwards: request.afterwards,
        onNoStock: request.onNoStock,
      },
      steps: freshSteps(),
      results: [],
      notes: [],
      output: { chunks: 0, outBytes: 0, errBytes: 0 },
    };
    const context = await this.#context();
    await this.#options.store.add(record, inputs, context.runner);
    this.#enqueue(new TaskRun(record, context));
    return { record: this.#known.get(record.id)?.record ?? record };
  }

  /** The one that runs, waits, or has just ended in this process. */
  run(id: string): TaskRun | undefined {
    const run = this.#known.get(id);
    return run?.taken.aborted ? undefined : run;
  }

  /** Tasks before it in the queue; undefined: it does not wait. */
  ahead(id: string): number | undefined {
    const place = this.#queue.findIndex(({ record }) => record.id === id);
    return place < 0 ? undefined : place;
  }

  status(person: string): Runner {
    const { manager, atOnce, perPerson } = this.#options;
    const mine = [...this.#queue, ...this.#running].filter(({ record }) => record.person === person);
    return {
      state: 'ready',
      manager,
      running: this.#running.size,
      limit: atOnce,
      perPerson,
      queued: this.#queue.length,
      mine: mine.length,
    };
  }

  /** False: it is being given back already, or has ended. One that another process runs is cancelled there, in a while. */
  async cancel(id: string): Promise<boolean> {
    const run = this.run(id);
    if (run) return this.#cancel(run);
    await this.#options.store.runners.askToCancel(id);
    return true;
  }

  #cancel(run: TaskRun): boolean {
    if (!run.cancel()) return false;
    if (this.#queue.includes(run)) {
      this.#queue = this.#queue.filter((each) => each !== run);
      // Nothing was claimed: its steps are skipped one after the other.
      void this.#carryOut(run, () => run.run());
    }
    return true;
  }

  /** Gives a kept sandbox back. @throws {HistoryUnavailable} when it is given back, and that could not be stored */
  async release(record: TaskRecord): Promise<{ record: TaskRecord } | { problem: TaskProblem }> {
    const { sandbox } = record;
    if (!sandbox) return { record };
    const { e2b, now, secrets } = this.#options.context;
    try {
      const isGivenBack = await e2b.kill(sandbox.id);
      const gone = { ...sandbox, [isGivenBack ? 'releasedAt' : 'goneAt']: now() };
      return { record: await this.#amend(record, { keptUntil: undefined, sandbox: gone }) };
    } catch (error) {
      if (error instanceof HistoryUnavailable) throw error;
      return { problem: problemOf(error, 'release', secrets) };
    }
  }

  /** Changes one that has ended, and tells who follows it. */
  async #amend(record: TaskRecord, change: Partial<TaskRecord>): Promise<TaskRecord> {
    const run = this.run(record.id);
    if (run) return run.amend(change);
    const amended = { ...record, ...change, version: record.version + 1 };
    await this.#options.store.save(amended, this.#runners.me);
    return amended;
  }

  #enqueue(run: TaskRun): void {
    this.#known.set(run.record.id, run);
    this.#queue.push(run);
    this.#pump();
  }

  /**
   * Starts what may start: the longest waiting whose person has not as many running as one may have. Nothing while the API
   * server is away: what waits would be used up by claims that must fail.
   */
  #pump(): void {
    const { atOnce, perPerson, context } = this.#options;
    if (isClusterAway(context.watch)) return;
    const runningOf = (person: string) => [...this.#running].filter(({ record }) => record.person === person).length;
    while (!this.#isStopped && this.#running.size < atOnce) {
      const next = this.#queue.find(({ record }) => runningOf(record.person) < perPerson);
      if (!next) return;
      this.#queue = this.#queue.filter((each) => each !== next);
      void this.#carryOut(next, () => next.run());
    }
  }

  async #carryOut(run: TaskRun, work: () => Promise<void>): Promise<void> {
    const { id } = run.record;
    this.#known.set(id, run);
    this.#running.add(run);
    try {
      await work();
    } catch (err) {
      log.error({ key: 'task.fault', task: id, err });
    } finally {
      this.#running.delete(run);
      this.#pump();
      if (run.taken.aborted) this.#forget(run);
      else void this.#remember(run);
    }
  }

  async #remember(run: TaskRun): Promise<void> {
    await run.stored(rememberMs);
    const timer = setTimeout(() => {
      if (run.isStored) this.#forget(run);
      else void this.#remember(run);
    }, rememberMs);
    timer.unref();
  }

  #forget(run: TaskRun): void {
    run.end();
    this.#known.delete(run.record.id);
  }

  async #context(): Promise<RunContext> {
    this.#installation ??= await this.#options.store.installation(randomUUID());
    await this.#runners.join();
    const { context, store } = this.#options;
    return { ...context, store, installation: this.#installation, runner: this.#runners.me };
  }

  async #hearCancels(): Promise<void> {
    if (this.#running.size + this.#queue.length === 0) return;
    try {
      for (const id of await this.#options.store.runners.toCancel(this.#runners.me)) {
        const run = this.#known.get(id);
        if (run) this.#cancel(run);
      }
    } catch (err) {
      if (!(err instanceof HistoryUnavailable)) log.error({ key: 'task.fault', err });
    }
  }

  /** Takes over what a dead process ran, gives back what nobody needs, and forgets what is old. */
  async #care(): Promise<void> {
    if (this.#isCaring || this.#isStopped) return;
    this.#isCaring = true;
    const { store, keepDays, context } = this.#options;
    try {
      const own = await this.#context();
      await this.#runners.forgetDead();
      for (const record of await store.runners.takeOver(own.runner)) this.#takeUp(record, own);
      await this.#hearCancels();
      await sweep({
        context: own,
        known: (task) => this.#known.get(task)?.record,
        amend: (record, change) => this.#amend(record, change),
      });
      await store.prune(own.now(), keepDays * dayMs);
    } catch (err) {
      // The database says itself why it is away.
      if (!(err instanceof HistoryUnavailable)) warn('task.care', problemOf(err, 'release', context.secrets));
    } finally {
      this.#isCaring = false;
    }
  }

  #takeUp(record: TaskRecord, context: RunContext): void {
    if (this.#isStopped || this.#known.has(record.id)) return;
    const hasRun = record.steps.some(({ name, startedAt }) => name === 'run' && startedAt !== undefined);
    log.info({ key: 'task.adopted', task: record.id, hasRun });
    const { sandbox, pending: _seen, problem: _first, ...before } = record;
    // Until its code has run, all can begin again; what was claimed for it is given back first.
    const run = new TaskRun(hasRun ? record : { ...before, state: 'queued', steps: freshSteps() }, context, !hasRun);
    if (hasRun) void this.#carryOut(run, () => run.goOn());
    else this.#enqueue(run);
  }
}
