import 'server-only';
import { randomBytes, randomUUID } from 'node:crypto';
import { activeStates, type Runner, type TaskProblem, type TaskRequest } from '@/lib/contracts/tasks';
import { HistoryUnavailable } from '../history/database';
import { log } from '../log';
import { problemOf } from './problems';
import { freshSteps, type TaskRecord, titleOf } from './record';
import { Runners } from './runners';
import type { TaskInputs, TaskStore } from './store';
import { type RunContext, TaskRun } from './task-run';

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
  #isStopped = false;
  #isCaring = false;

  constructor(options: TasksOptions) {
    this.#options = options;
    this.#runners = new Runners(options.store);
  }

  /** Takes up what was left behind, and looks from then on for sandboxes that nobody needs. */
  start(): void {
    void this.#care();
    this.#timers = [
      ...firstSweepsMs.map((ms) => setTimeout(() => void this.#care(), ms).unref()),
      setInterval(() => void this.#care(), sweepMs).unref(),
      setInterval(() => void this.#hearCancels(), askedMs).unref(),
    ];
  }

  /** The tasks that run go on in their sandboxes: the next process takes them up. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
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
    this.#enqueue(new TaskRun(record, inputs, context));
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
    await this.#options.store.askToCancel(id);
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
      await e2b.kill(sandbox.id);
    } catch (error) {
      return { problem: problemOf(error, 'release', secrets) };
    }
    const at = now();
    const run = this.run(record.id);
    if (run) return { record: run.released(at) };
    const { keptUntil: _over, ...rest } = record;
    const released = { ...rest, version: record.version + 1, sandbox: { ...sandbox, releasedAt: at } };
    await this.#options.store.save(released, this.#runners.me);
    return { record: released };
  }

  #enqueue(run: TaskRun): void {
    this.#known.set(run.record.id, run);
    this.#queue.push(run);
    this.#pump();
  }

  /** Starts what may start: the longest waiting whose person has not as many running as one may have. */
  #pump(): void {
    const { atOnce, perPerson } = this.#options;
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
      for (const id of await this.#options.store.toCancel(this.#runners.me)) {
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
      for (const record of await store.takeOver(own.runner)) await this.#takeUp(record, own);
      await store.prune(own.now() - keepDays * dayMs);
      await this.#sweep(own);
    } catch (err) {
      // The database says itself why it is away.
      if (!(err instanceof HistoryUnavailable)) this.#warn('task.care', problemOf(err, 'release', context.secrets));
    } finally {
      this.#isCaring = false;
    }
  }

  #warn(key: string, { code, detail }: TaskProblem, more: { sandbox?: string } = {}): void {
    log.warn({ key, code, why: detail, ...more });
  }

  async #takeUp(record: TaskRecord, context: RunContext): Promise<void> {
    if (this.#isStopped || this.#known.has(record.id)) return;
    const inputs = await this.#options.store.inputs(record.id);
    const hasRun = record.steps.some(({ name, startedAt }) => name === 'run' && startedAt !== undefined);
    log.info({ key: 'task.adopted', task: record.id, hasRun });
    const { sandbox, ...before } = record;
    // Until its code has run, all can begin again; what was claimed for it is given back first.
    const run = new TaskRun(
      hasRun ? record : { ...before, state: 'queued', steps: freshSteps() },
      inputs,
      context,
      !hasRun,
    );
    if (hasRun) void this.#carryOut(run, () => run.goOn());
    else this.#enqueue(run);
  }

  /** The manager's own list says what is claimed: a sandbox of a task that has ended or is not known is given back. */
  async #sweep({ e2b, installation, secrets }: RunContext): Promise<void> {
    for (const { id, task } of await e2b.own(installation)) {
      if (await this.#isNeeded(id, task)) continue;
      log.info({ key: 'task.swept', task, sandbox: id });
      try {
        await e2b.kill(id);
      } catch (error) {
        // The others are given back all the same.
        this.#warn('task.unswept', problemOf(error, 'release', secrets), { sandbox: id });
      }
    }
  }

  async #isNeeded(sandbox: string, task: string): Promise<boolean> {
    const { store, context } = this.#options;
    const known = this.#known.get(task)?.record;
    // What another process runs is its own to sweep: only there it is known what was claimed last.
    if (!known && (await store.isActive(task))) return true;
    const record = known ?? (await store.find(task));
    if (!record) return false;
    const own = record.sandbox?.id;
    // One that runs here may have one more than it knows of: what a claim brought whose answer was lost.
    if (activeStates.has(record.state)) return own === undefined || own === sandbox;
    return own === sandbox && record.keptUntil !== undefined && record.keptUntil > context.now();
  }
}
