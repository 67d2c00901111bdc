import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { Claimed } from './e2b';
import { idOf, isDead, sandboxesOf } from './origin';
import { problemOf } from './problems';
import type { Progress } from './progress';
import type { RunContext } from './run-context';

const waitsMs = [0, 500, 1_500, 3_000];

type Released = 'done' | 'skipped' | 'failed';

/** How a task parts from its sandbox: it is given back, kept as asked, or said not to be. */
export class Release {
  /** A claim was sent whose answer did not come: there may be a sandbox. */
  isInDoubt: boolean;
  #progress: Progress;
  #context: RunContext;

  constructor(progress: Progress, context: RunContext, isInDoubt: boolean) {
    this.#progress = progress;
    this.#context = context;
    this.isInDoubt = isInDoubt;
  }

  get #record() {
    return this.#progress.record;
  }

  /** @param hasFailed before the outcome is known */
  wantsToKeep(hasFailed = this.#record.exitCode !== 0 || this.#record.problem !== undefined): boolean {
    const { do: what } = this.#record.request.afterwards;
    if (this.#record.cancelled || this.#record.problem?.code === 'sandboxGone') return false;
    return what === 'keep' || (what === 'keepOnFailure' && hasFailed);
  }

  /** @param sandbox undefined: it was not reached, or there is none */
  async run(sandbox: Claimed | undefined): Promise<void> {
    const id = sandbox?.id ?? this.#record.sandbox?.id;
    this.#progress.skip(['claim', 'write', 'run', 'collect']);
    const isKept = sandbox !== undefined && this.wantsToKeep() && (await this.#keep(sandbox));
    if (isKept || (id === undefined && !this.isInDoubt)) return this.#progress.skip(['release']);
    this.#progress.setStep('release', { state: 'running', startedAt: this.#context.now() });
    const state = await (id === undefined ? this.killDoubtful() : this.#kill(id)).catch((error: unknown): Released => {
      this.#progress.note('notReleased', problemOf(error, 'release', this.#context.secrets).detail);
      return 'failed';
    });
    const times = state === 'skipped' ? { startedAt: undefined } : { endedAt: this.#context.now() };
    this.#progress.setStep('release', { state, ...times });
  }

  /** What a claim brought whose answer was not heard. What it still brings is the sweeper's. @returns `skipped`: nothing */
  async killDoubtful(): Promise<Released> {
    const { e2b, installation, watch } = this.#context;
    const listed = (await e2b.own(installation)).filter(({ task }) => task === this.#record.id).map(({ id }) => id);
    const rows = sandboxesOf(watch, this.#record);
    let state: Released = 'skipped';
    for (const id of new Set([...listed, ...rows.map(idOf)])) if (await e2b.kill(id)) state = 'done';
    this.isInDoubt = false;
    if (!rows.some(isDead)) return state;
    this.#progress.note('notReleased');
    return 'failed';
  }

  /** False: it could not be kept. */
  async #keep(sandbox: Claimed): Promise<boolean> {
    const { afterwards } = this.#record.request;
    if (afterwards.do === 'release') return false;
    try {
      const keepMs = afterwards.minutes * 60_000;
      await sandbox.keepFor(keepMs);
      const endAt = await sandbox.endAt();
      if (this.#record.cancelled) return false;
      if (endAt !== undefined) this.#progress.sandbox({ id: sandbox.id, endAt });
      // One that never ends by itself is swept up when its time is over.
      this.#progress.change({ keptUntil: endAt ?? this.#context.now() + keepMs });
      return true;
    } catch (error) {
      this.#progress.note('notKept', problemOf(error, 'release', this.#context.secrets).detail);
      return false;
    }
  }

  /** @returns `skipped`: it was gone already */
  async #kill(id: string): Promise<Released> {
    const { e2b, now, watch } = this.#context;
    const uid = this.#record.sandbox?.uid;
    const row = uid === undefined ? undefined : watch.row('sandboxes', uid);
    let why: unknown;
    for (const wait of waitsMs) {
      await delay(wait);
      try {
        const isKilled = await e2b.kill(id);
        if (row && isDead(row)) {
          this.#progress.note('notReleased');
          return 'failed';
        }
        const isGone = !isKilled || (uid !== undefined && (!row || row.deleting !== undefined));
        this.#progress.sandbox({ id, [isGone ? 'goneAt' : 'releasedAt']: now() });
        return isGone ? 'skipped' : 'done';
      } catch (error) {
        why = error;
      }
    }
    throw why;
  }
}
