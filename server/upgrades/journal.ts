import 'server-only';
import { createHash } from 'node:crypto';
import type { RowKind, RowOf, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import type { Freshness } from '@/lib/contracts/stream';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Adoption } from '../history/adoptions';
import type { History } from '../history/database';
import type { SandboxSeen, SeenSandbox } from '../kube/sandboxes';
import type { RowChange } from '../kube/table';
import type { SeenTemplate } from '../kube/templates';
import { AdoptionQueue, type OpenAdoption } from './adoption-queue';
import { followPods } from './pods';
import { Recalled } from './recalled';
import { followSandbox, leaveOf, rememberSteps } from './sandbox-record';

/** What the journal watches; the cluster of server/kube is one. */
export type JournalSource = {
  onSandbox(listener: (change: SandboxSeen) => void): () => void;
  onChange(listener: (change: RowChange) => void): () => void;
  onState(listener: () => void): () => void;
  row<K extends RowKind>(kind: K, uid: string): RowOf<K> | undefined;
  byName<K extends RowKind>(kind: K, namespace: string, name: string): RowOf<K> | undefined;
  rows(kind: 'sandboxupdateops'): Iterable<UpgradeRow>;
  freshness(): Freshness;
};

/** A terminal operation adopts nothing: one of the name is an earlier one, unless it stays that long. */
const doubtMs = 1_000;
const pruneEveryMs = 3_600_000;

/**
 * Remembers of every sandbox that an operation adopts what it had before: its template and its Pod, and what came in their
 * place; and how far the operation came with it, also when another one has it by now. It knows only what it saw: a change
 * that was missed is unknown, and stays so.
 */
export class Journal {
  #source: JournalSource;
  #now: () => number;
  /** By the sandbox's uid. */
  #open = new Map<string, OpenAdoption>();
  #recalled: Recalled;
  #unstored: AdoptionQueue;
  /** Operations, by uid, that were compared with what is open. */
  #compared = new Set<string>();
  #ends: (() => void)[];

  /** Listens from now on; {@link recall} should come before the first list does. */
  constructor(source: JournalSource, history: History, now: () => number = Date.now) {
    this.#source = source;
    this.#now = now;
    this.#recalled = new Recalled(history, () => this.#compareStored());
    this.#unstored = new AdoptionQueue({
      history,
      now,
      ready: () => this.#recalled.read(),
      bind: (open): open is Adoption => this.#bind(open) !== undefined,
      alive: () =>
        this.#isLive('sandboxupdateops')
          ? new Set([...source.rows('sandboxupdateops')].map(({ uid }) => uid))
          : undefined,
    });
    const pruning = setInterval(() => this.#unstored.prune(), pruneEveryMs).unref();
    this.#ends = [
      source.onSandbox((change) => this.#seen(change)),
      source.onChange(({ kind, uid }) => {
        if (kind !== 'sandboxupdateops') return;
        const op = source.row(kind, uid);
        if (op) this.#operationSeen(op);
        else this.#compared.delete(uid);
      }),
      source.onState(() => this.#compareStored()),
      () => clearInterval(pruning),
    ];
  }

  /** Takes up what an earlier run has stored; while the database is away, again and again. Settles after the first attempt. */
  async recall(): Promise<void> {
    await this.#recalled.read().catch((error: unknown) => this.#unstored.tryLater(error));
    this.#unstored.prune();
  }

  /** Stores what is new. @throws {HistoryUnavailable} */
  flush(): Promise<void> {
    return this.#unstored.flush();
  }

  stop(): void {
    for (const end of this.#ends) end();
    this.#unstored.stop();
  }

  /** Those that the list did not bring with their operation have left it, at some time that nobody saw. */
  #compareStored(): void {
    if (!this.#isLive('sandboxes')) return;
    for (const stored of this.#recalled.takeAll()) {
      const open = this.#open.get(stored.sandboxUid);
      if (open && open.opName === stored.opName && (open.opUid ?? stored.opUid) === stored.opUid) {
        this.#complete(open, stored);
      } else this.#leave(stored, this.#source.row('sandboxes', stored.sandboxUid), false);
    }
  }

  /** What was stored comes late, as the database was away: it knows the beginning, and this run the rest. */
  #complete(open: OpenAdoption, stored: OpenAdoption): void {
    const { before, after, record, pods, at } = stored;
    if (!open.before && before) Object.assign(open, { before, ...(after ? { after } : {}) });
    open.at = at;
    open.pods = { ...pods, ...open.pods };
    if (record?.row.steps) rememberSteps(open, record.row.steps);
    this.#unstored.add(open);
  }

  #seen(change: SandboxSeen): void {
    const { before, after, live } = change;
    const seen = after ?? before;
    if (!seen) return;
    const { uid, ns } = seen.row;
    const op = after?.row.op;
    const recalled = before ? undefined : this.#recalled.take(uid);
    const known = this.#open.get(uid) ?? recalled;
    const isSame = known !== undefined && known.opName === op && (known !== recalled || this.#isOf(known, ns));
    if (known && !isSame) this.#leave(known, after?.row, live);
    if (!after || op === undefined) {
      this.#open.delete(uid);
      return;
    }
    const open = isSame ? known : this.#adopted(op, before, after, live);
    this.#open.set(uid, open);
    const isChanged = before?.template !== after.template && this.#templateChanged(open, after.template);
    const hasPods = followPods(open, change, this.#now());
    if (followSandbox(open, after.row, this.#now()) || hasPods || isChanged || !isSame) this.#unstored.add(open);
  }

  #leave(open: OpenAdoption, row: SandboxRow | undefined, live: boolean): void {
    // Stored by a version that kept no record: nothing can be said of it.
    if (!open.record || open.record.left) return;
    open.record = { ...open.record, left: leaveOf(row, this.#now(), live) };
    this.#unstored.add(open);
  }

  /** Without having seen what was there just before, nothing is known of it. */
  #adopted(opName: string, before: SeenSandbox | undefined, after: SeenSandbox, live: boolean): OpenAdoption {
    const { uid, ns, name } = after.row;
    const open: OpenAdoption = { opName, namespace: ns, sandboxUid: uid, sandboxName: name, at: this.#now(), pods: {} };
    if (before && before.row.op !== opName && (live || isOneChange(before, after))) {
      if (before.template) open.before = stored(before.template);
      if (after.template) open.after = stored(after.template);
    }
    const op = this.#source.byName('sandboxupdateops', ns, opName);
    if (op && isActive(op) && op.deleting === undefined) open.opUid = op.uid;
    return open;
  }

  /** The operation changes the template once: what others make of it later is not its doing. */
  #templateChanged(open: OpenAdoption, template: SeenTemplate | undefined): boolean {
    if (!template || !open.before || open.after?.hash !== open.before.hash) return false;
    const next = stored(template);
    if (next.hash === open.before.hash) return false;
    open.after = next;
    return true;
  }

  /** Whether the operation that it was stored for is still the one of that name, as far as is known. */
  #isOf(recalled: OpenAdoption, namespace: string): boolean {
    const op = this.#source.byName('sandboxupdateops', namespace, recalled.opName);
    return op === undefined || op.uid === recalled.opUid;
  }

  #bind(open: OpenAdoption): string | undefined {
    if (open.opUid !== undefined) return open.opUid;
    const op = this.#source.byName('sandboxupdateops', open.namespace, open.opName);
    const isLater = this.#now() - open.at >= doubtMs;
    if (op && op.deleting === undefined && (isActive(op) || isLater)) open.opUid = op.uid;
    return open.opUid;
  }

  /** What was taken up from an earlier run may be of an operation that has been replaced by another of its name. */
  #operationSeen(op: UpgradeRow): void {
    if (this.#compared.has(op.uid)) return;
    this.#compared.add(op.uid);
    for (const open of this.#unstored.all()) if (open.opName === op.name && open.namespace === op.ns) this.#bind(open);
    for (const [uid, open] of this.#open) {
      if (open.opName !== op.name || open.namespace !== op.ns || open.opUid === undefined || open.opUid === op.uid) {
        continue;
      }
      const row = this.#source.row('sandboxes', uid);
      this.#leave(open, row, false);
      const { before: _before, after: _after, record: _record, earlier: _earlier, ...rest } = open;
      const next: OpenAdoption = { ...rest, opUid: op.uid, at: this.#now(), pods: {} };
      // Its steps may be those of the one before.
      if (row) followSandbox(next, { ...row, steps: undefined }, this.#now());
      this.#open.set(uid, next);
    }
  }

  #isLive(kind: 'sandboxes' | 'sandboxupdateops'): boolean {
    return this.#source.freshness().kinds.some((each) => each.kind === kind && each.state === 'live');
  }
}

/** A list shows only how things are now. One change of the spec in between is the operation's own, more may be anybody's. */
function isOneChange(before: SeenSandbox, after: SeenSandbox): boolean {
  return before.row.gen !== undefined && after.row.gen === before.row.gen + 1;
}

function stored(template: SeenTemplate): { hash: string; text(): string } {
  const text = template.text();
  return { hash: createHash('sha256').update(text).digest('hex'), text: () => template.text() };
}
