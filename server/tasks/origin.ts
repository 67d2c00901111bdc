import 'server-only';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { TaskSandbox } from '@/lib/contracts/tasks';
import type { Cluster } from '../kube/cluster';
import { metadataKeys } from './e2b';

/** So long after the claim its refill is waited for. */
const refillMs = 120_000;
/** metadata.creationTimestamp has whole seconds. */
const roundedMs = 1_000;

type Pool = { ns: string; name: string };

/** What tasks need of the cluster, which the watch shows. */
export type PoolWatch = Pick<Cluster, 'rows' | 'row' | 'onChange' | 'annotationOf' | 'freshness' | 'onState'>;

/** Sandboxes that stand for one claim already: of two claims at once, each has its own refill. */
const spoken = new Set<string>();

const isOf = (row: SandboxRow, { ns, name }: Pool) => row.ns === ns && row.pool === name;
export const idOf = (row: SandboxRow) => row.id ?? `${row.ns}--${row.name}`;

/** The console knows itself that the API server does not answer: nobody can claim anything then. */
export const isClusterAway = (watch: PoolWatch): boolean =>
  watch.freshness().kinds.some(({ kind, state }) => kind === 'sandboxes' && state === 'degraded');

/** Of these, the manager says that they are deleted, and does nothing. */
export const isDead = ({ phase }: SandboxRow): boolean => phase === 'Failed' || phase === 'Succeeded';

/** What the cluster still has for a task, also what the manager does not list. */
export function sandboxesOf(
  watch: PoolWatch,
  { id, pool, sandbox }: { id: string; pool: Pool; sandbox?: { uid?: string | undefined } | undefined },
): SandboxRow[] {
  return [...watch.rows('sandboxes')]
    .filter((row) => isOf(row, pool) && row.deleting === undefined && !row.idle)
    .filter((row) => row.uid === sandbox?.uid || watch.annotationOf(row, metadataKeys.task) === id);
}

/**
 * Where the sandbox of a claim came from, as the watch shows it: a member that the pool had before the claim was sent (warm) or
 * one created for it (cold); when it left the pool; and which member came in its place. To be made before the claim is sent.
 */
export class Origin {
  #watch: PoolWatch;
  #pool: Pool;
  #now: () => number;
  #sentAt: number;
  #members: ReadonlySet<string>;
  #found: TaskSandbox | undefined;
  #stop: (() => void) | undefined;
  #tell: (sandbox: TaskSandbox) => void = () => undefined;

  /** @param now the cluster's clock, epoch ms */
  constructor(watch: PoolWatch, pool: Pool, now: () => number) {
    this.#watch = watch;
    this.#pool = pool;
    this.#now = now;
    this.#sentAt = now();
    const members = [...watch.rows('sandboxes')].filter((row) => row.idle && isOf(row, pool));
    this.#members = new Set(members.map(({ uid }) => uid));
  }

  /** Looks for the one that is made for this task while the claim waits. @param tell gets it as soon as it is seen */
  seek(task: string, tell: (pending: { ns: string; name: string }) => void): void {
    this.#stop = this.#watch.onChange(({ kind, uid }) => {
      const row = kind === 'sandboxes' && !this.#members.has(uid) ? this.#watch.row(kind, uid) : undefined;
      if (!row || row.idle || !isOf(row, this.#pool)) return;
      if (this.#watch.annotationOf(row, metadataKeys.task) !== task) return;
      this.end();
      tell({ ns: row.ns, name: row.name });
    });
  }

  /** @param tell gets the sandbox whenever more is known of it; no more after the refill came, or two minutes */
  follow(id: string, tell: (sandbox: TaskSandbox) => void): void {
    this.end();
    this.#found = { id, origin: 'unknown' };
    this.#tell = tell;
    const end = this.#watch.onChange(({ kind, uid }) => {
      const row = kind === 'sandboxes' ? this.#watch.row('sandboxes', uid) : undefined;
      if (row) this.#look(row);
    });
    const timer = setTimeout(() => this.end(), refillMs).unref();
    this.#stop = () => {
      clearTimeout(timer);
      end();
    };
    tell(this.#found);
    this.#lookAtAll();
  }

  end(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #lookAtAll(): void {
    for (const row of this.#watch.rows('sandboxes')) this.#look(row);
  }

  #look(row: SandboxRow): void {
    const found = this.#found;
    if (!found || !this.#stop) return;
    if (idOf(row) === found.id) this.#isOwn(row, found);
    else if (isOf(row, this.#pool)) this.#isOther(row, found);
  }

  #isOwn(row: SandboxRow, found: TaskSandbox): void {
    const left = found.leftPoolAt ?? (row.idle || !this.#members.has(row.uid) ? undefined : this.#now());
    if (found.uid === row.uid && left === found.leftPoolAt) return;
    this.#found = {
      ...found,
      ns: row.ns,
      name: row.name,
      uid: row.uid,
      origin: this.#originOf(row),
      ...(row.created === undefined ? {} : { created: row.created }),
      ...(left === undefined ? {} : { leftPoolAt: left }),
    };
    this.#tell(this.#found);
    // Its refill may have been seen before itself.
    if (found.uid === undefined && this.#found.origin === 'warm') this.#lookAtAll();
  }

  #originOf({ uid, created }: SandboxRow): TaskSandbox['origin'] {
    if (this.#members.has(uid)) return 'warm';
    if (created === undefined) return 'unknown';
    // Not a member that was seen, and older than the claim: the watch may have been late.
    return created + roundedMs <= this.#sentAt ? 'unknown' : 'cold';
  }

  #isOther(row: SandboxRow, found: TaskSandbox): void {
    const isNew = row.idle && row.created !== undefined && row.created + roundedMs > this.#sentAt;
    if (!isNew || found.origin !== 'warm' || this.#members.has(row.uid) || spoken.has(row.uid)) return;
    spoken.add(row.uid);
    if (spoken.size > 10_000) spoken.clear();
    this.#found = { ...found, refill: { name: row.name, uid: row.uid, at: this.#now() } };
    this.#tell(this.#found);
    this.end();
  }
}
