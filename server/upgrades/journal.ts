import 'server-only';
import { createHash } from 'node:crypto';
import type { RowKind, RowOf, UpgradeRow } from '@/lib/contracts/rows';
import type { Freshness } from '@/lib/contracts/stream';
import { isActive } from '@/lib/domain/upgrades/view';
import { type Adoption, lastAdoptions, podsOf, pruneAdoptions } from '../history/adoptions';
import { type History, HistoryUnavailable } from '../history/database';
import type { SandboxSeen, SeenSandbox } from '../kube/sandboxes';
import type { RowChange } from '../kube/table';
import type { SeenTemplate } from '../kube/templates';
import { AdoptionQueue, type OpenAdoption } from './adoption-queue';
import { followPods } from './pods';

/** What the journal watches; the cluster of server/kube is one. */
export type JournalSource = {
  onSandbox(listener: (change: SandboxSeen) => void): () => void;
  onChange(listener: (change: RowChange) => void): () => void;
  onState(listener: () => void): () => void;
  row<K extends RowKind>(kind: K, uid: string): RowOf<K> | undefined;
  byName<K extends RowKind>(kind: K, namespace: string, name: string): RowOf<K> | undefined;
  freshness(): Freshness;
};

/** A terminal operation adopts nothing: one of the name is an earlier one, unless it stays that long. */
const doubtMs = 1_000;

/**
 * Remembers of every sandbox that an operation adopts what it had before: its template and its Pod, and what came in their
 * place. It knows only what it saw: a change that was missed is unknown, and stays so.
 */
export class Journal {
  #source: JournalSource;
  #history: History;
  #now: () => number;
  /** By the sandbox's uid. */
  #open = new Map<string, OpenAdoption>();
  /** Of an earlier run of the console, until the sandboxes have been listed. */
  #stored = new Map<string, OpenAdoption>();
  #unstored: AdoptionQueue;
  /** Operations, by uid, that were compared with what is open. */
  #compared = new Set<string>();
  #ends: (() => void)[];

  /** Listens from now on; {@link recall} should come before the first list does. */
  constructor(source: JournalSource, history: History, now: () => number = Date.now) {
    this.#source = source;
    this.#history = history;
    this.#now = now;
    this.#unstored = new AdoptionQueue(history, now, (open): open is Adoption => this.#bind(open) !== undefined);
    this.#ends = [
      source.onSandbox((change) => this.#seen(change)),
      source.onChange(({ kind, uid }) => {
        if (kind !== 'sandboxupdateops') return;
        const op = source.row(kind, uid);
        if (op) this.#operationSeen(op);
        else this.#compared.delete(uid);
      }),
      source.onState(() => {
        const sandboxes = source.freshness().kinds.find(({ kind }) => kind === 'sandboxes');
        if (sandboxes?.state === 'live') this.#stored.clear();
      }),
    ];
  }

  /** Takes up what an earlier run has stored, and forgets what is old. */
  async recall(): Promise<void> {
    try {
      await pruneAdoptions(this.#history, this.#now());
      for (const row of await lastAdoptions(this.#history)) {
        const byHash = (hash: string) => ({ hash, text: () => undefined });
        this.#stored.set(row.sandbox_uid, {
          opUid: row.op_uid,
          opName: row.op_name,
          namespace: row.namespace,
          sandboxUid: row.sandbox_uid,
          sandboxName: row.sandbox_name,
          at: row.at,
          ...(row.before === null ? {} : { before: byHash(row.before) }),
          ...(row.after === null ? {} : { after: byHash(row.after) }),
          pods: podsOf(row),
        });
      }
    } catch (error) {
      if (!(error instanceof HistoryUnavailable)) throw error;
    }
  }

  /** Stores what is new. @throws {HistoryUnavailable} */
  flush(): Promise<void> {
    return this.#unstored.flush();
  }

  stop(): void {
    for (const end of this.#ends) end();
    this.#unstored.stop();
  }

  #seen(change: SandboxSeen): void {
    const { before, after, live } = change;
    if (after?.row.op === undefined) {
      const gone = after ?? before;
      if (gone) this.#open.delete(gone.row.uid);
      return;
    }
    const { uid, op } = after.row;
    const recalled = before ? undefined : this.#stored.get(uid);
    const known = this.#open.get(uid) ?? recalled;
    const isSame = known?.opName === op && (known !== recalled || this.#isOf(known, after.row.ns));
    const open = isSame ? known : this.#adopted(op, before, after, live);
    this.#open.set(uid, open);
    const isChanged = before?.template !== after.template && this.#templateChanged(open, after.template);
    if (followPods(open, change, this.#now()) || isChanged || !isSame) this.#touch(open);
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

  #touch(open: OpenAdoption): void {
    if (!open.before && !open.pods.before && !open.pods.after) return;
    this.#unstored.add(open);
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
      const { before: _before, after: _after, ...rest } = open;
      this.#open.set(uid, { ...rest, opUid: op.uid, at: this.#now(), pods: {} });
    }
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
