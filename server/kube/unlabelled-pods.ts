import 'server-only';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { PodDigest } from '@/lib/domain/facts';
import type { KubeClient } from './client';
import { KubeError } from './errors';
import type { Change } from './reflector';
import { digestPod } from './rows';

/** A Pod that is being made comes by the watch long before. */
const missingForMs = 10_000;
const mostAtOnce = 20;
/** One that was not there is asked for again after this. */
const askAgainMs = 60_000;

interface Context {
  client: Pick<KubeClient, 'request'>;
  sandboxes(): Iterable<SandboxRow>;
  /** As the watch tells. */
  watchedPod(namespace: string, name: string): PodDigest | undefined;
  changed(change: Change<PodDigest>): void;
  now(): number;
}

/**
 * Pods are watched by the label that the controller gives them: all Pods of a cluster would be many more. One without it, whoever took
 * it off, is looked for by name before its sandbox is said to have none, and again on every look, since no watch tells of it.
 */
export class UnlabelledPods {
  #context: Context;
  #found = new Map<string, PodDigest>();
  /** When a Pod was asked for, by `namespace/name`. */
  #asked = new Map<string, number>();
  #looking = false;

  constructor(context: Context) {
    this.#context = context;
  }

  get(namespace: string, name: string): PodDigest | undefined {
    return this.#found.get(`${namespace}/${name}`);
  }

  /** Called every few seconds: asks for a few Pods that are missing, those first that were not asked for the longest. */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const due = [...this.#context.sandboxes()].filter((row) => this.#isDue(row));
      this.#forget(new Set(due.map(key)));
      const oldestFirst = due.sort((a, b) => this.#askedAt(a) - this.#askedAt(b));
      await Promise.all(oldestFirst.slice(0, mostAtOnce).map((row) => this.#ask(row)));
    } finally {
      this.#looking = false;
    }
  }

  #askedAt(row: SandboxRow): number {
    return this.#asked.get(key(row)) ?? 0;
  }

  #isDue(row: SandboxRow): boolean {
    if (this.#found.has(key(row))) return this.#context.watchedPod(row.ns, row.name) === undefined;
    const now = this.#context.now();
    const isMissing = row.cause?.code === 'PodMissing' && now - (row.since ?? now) > missingForMs;
    return isMissing && now - this.#askedAt(row) > askAgainMs;
  }

  /** What is watched by now, or of a sandbox that is gone. */
  #forget(due: ReadonlySet<string>): void {
    for (const each of this.#found.keys()) if (!due.has(each)) this.#found.delete(each);
    const old = this.#context.now() - askAgainMs;
    for (const [each, at] of this.#asked) if (at < old && !due.has(each)) this.#asked.delete(each);
  }

  async #ask(row: SandboxRow): Promise<void> {
    const { ns: namespace, name } = row;
    this.#asked.set(key(row), this.#context.now());
    const value = await this.#read(namespace, name);
    if (value) this.#found.set(key(row), value);
    else if (!this.#found.delete(key(row))) return;
    if (this.#context.watchedPod(namespace, name)) return;
    this.#context.changed({ namespace, name, live: false, ...(value ? { value } : {}) });
  }

  /** Undefined: there is none, or it may not be read. One that could not be asked for is as it was. */
  async #read(namespace: string, name: string): Promise<PodDigest | undefined> {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
    try {
      return digestPod((await this.#context.client.request({ method: 'GET', path })).body);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      return error.status === 404 || error.status === 403 ? undefined : this.get(namespace, name);
    }
  }
}

const key = ({ ns, name }: SandboxRow) => `${ns}/${name}`;
