import 'server-only';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { log } from '../log';
import type { RunnerStore } from './runner-store';

const beatMs = 5_000;
/** One that has not been heard of for so long has ended without a word. */
const silentMs = 20_000;

/**
 * Where process ids mean the same: the machine since its boot, and its pid namespace (names of hosts and pods repeat). Where the
 * system tells neither, no other process is known to be here. The number of a namespace may come again, but not while one lives.
 */
function placeHere(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
  } catch {
    return randomUUID();
  }
}
const place = placeHere();

/** This process among those that run tasks on one database: who is alive keeps its own. */
export class Runners {
  readonly me = `${place}:${process.pid}:${randomBytes(4).toString('hex')}`;
  #store: RunnerStore;
  #heard = new Map<string, { beat: number; at: number }>();
  #listenedAt = Number.NEGATIVE_INFINITY;
  #joined: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: RunnerStore) {
    this.#store = store;
  }

  /** Counts as alive from here on. */
  join(): Promise<void> {
    this.#joined ??= this.#begin().catch((error) => {
      this.#joined = undefined;
      throw error;
    });
    return this.#joined;
  }

  async #begin(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => {
      this.#beat().catch((err: unknown) => log.warn({ key: 'task.beat', err }));
    }, beatMs).unref();
  }

  /** Strikes off the processes that are gone: at once those of this place, others after a silence. */
  async forgetDead(): Promise<void> {
    await this.#beat();
    const silent = [...this.#heard].filter(([, { at }]) => performance.now() - at >= silentMs).map(([id]) => id);
    const gone = [...silent, ...[...this.#heard.keys()].filter((id) => this.#hasEnded(id))];
    for (const id of new Set(gone)) {
      if (id === this.me) continue;
      await this.#store.forget(id);
      this.#heard.delete(id);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Another process may go on at once with what this one ran. */
  async leave(): Promise<void> {
    await this.#store.forget(this.me);
  }

  async #beat(): Promise<void> {
    const beats = await this.#store.beat(this.me);
    // By a clock that nobody sets: a jump of the time of day is no silence.
    const at = performance.now();
    // Nobody was silent while the database was away.
    const wasDeaf = at - this.#listenedAt > 2 * beatMs;
    this.#listenedAt = at;
    for (const { id, beat } of beats) {
      if (wasDeaf || this.#heard.get(id)?.beat !== Number(beat)) this.#heard.set(id, { beat: Number(beat), at });
    }
    const listed = new Set(beats.map(({ id }) => id));
    for (const id of this.#heard.keys()) if (!listed.has(id)) this.#heard.delete(id);
  }

  #hasEnded(id: string): boolean {
    const [where, pid] = id.split(':');
    if (where !== place || id === this.me) return false;
    // The first process of a container has the same number again.
    if (Number(pid) === process.pid) return true;
    try {
      process.kill(Number(pid), 0);
      return false;
    } catch (error) {
      return !(error instanceof Error && 'code' in error && error.code === 'EPERM');
    }
  }
}
