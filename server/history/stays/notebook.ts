import 'server-only';
import type { Freshness } from '@/lib/contracts/stream';
import { ownPod, type SandboxSeen } from '../../kube/sandboxes';
import { follow } from './follow';
import { reconcile } from './reconcile';
import { ended, keyOf, type Stay } from './stay';

/** What the recorder watches; the cluster of server/kube is one. */
export type RecorderSource = {
  onSandbox(listener: (change: SandboxSeen) => void): () => void;
  onState(listener: () => void): () => void;
  freshness(): Freshness;
};

/** A stretch in which nobody watched, or nothing could be stored. */
export interface Gap {
  from: number;
  to: number;
}

/** Some of what waits, as it was when it was taken for storing. */
export interface Batch {
  stays: readonly Stay[];
  gaps: readonly Gap[];
  lostSince: number | undefined;
  /** Nothing else waits. */
  isAll: boolean;
  /** With this, all that was seen until then is stored. */
  until: number;
}

interface NotebookOptions {
  /** So many ended stays wait at the most. One takes about 400 bytes. */
  most: number;
  /** Whether the latest are kept when there are more; else the first, which go on from what is stored. */
  keepsLatest(): boolean;
  now(): number;
}

/** Where each sandbox is and was, as this process has seen it, until it is stored. */
export class Notebook {
  #source: RecorderSource;
  #options: NotebookOptions;
  #open = new Map<string, Stay>();
  /** Open ones, by uid, that are not stored as they are. */
  #unsaved = new Set<string>();
  #ended = new Map<string, Stay>();
  #gaps: Gap[] = [];
  #lostSince: number | undefined;
  #watchedFrom: number | undefined;
  /** Since when it does not watch any more. */
  #brokenAt: number | undefined;
  #ends: (() => void)[];

  constructor(source: RecorderSource, options: NotebookOptions) {
    this.#source = source;
    this.#options = options;
    this.#ends = [source.onSandbox((change) => this.#seen(change)), source.onState(() => this.#stateChanged())];
  }

  /** When the first list was in; undefined before that. */
  get watchedFrom(): number | undefined {
    return this.#watchedFrom;
  }

  /** Since then ended stays were dropped. */
  get lostSince(): number | undefined {
    return this.#lostSince;
  }

  get gaps(): readonly Gap[] {
    return this.#gaps;
  }

  get isEmpty(): boolean {
    return this.#unsaved.size + this.#ended.size + this.#gaps.length === 0;
  }

  /** What is known of one sandbox here, oldest first. */
  of(uid: string): Stay[] {
    const open = this.#open.get(uid);
    const ended = [...this.#ended.values()].filter((stay) => stay.uid === uid);
    return [...ended, ...(open ? [open] : [])].sort((a, b) => a.seen - b.seen);
  }

  batch(most: number): Batch {
    const until = this.#brokenAt ?? this.#options.now();
    const open = [...this.#unsaved].flatMap((uid) => this.#open.get(uid) ?? []);
    const all = [...this.#ended.values(), ...open];
    const stays = all.slice(0, most);
    return { stays, gaps: [...this.#gaps], lostSince: this.#lostSince, isAll: stays.length === all.length, until };
  }

  /** A batch is stored for good. What has become of its stays meanwhile waits for the next one. */
  stored({ stays, gaps, lostSince }: Batch): void {
    for (const stay of stays) {
      const key = keyOf(stay);
      if (this.#ended.get(key) === stay) this.#ended.delete(key);
      if (this.#open.get(stay.uid) === stay) this.#unsaved.delete(stay.uid);
    }
    this.#gaps = this.#gaps.filter((gap) => !gaps.includes(gap));
    if (this.#lostSince === lostSince) this.#lostSince = undefined;
  }

  /** Another process has stored all until then. */
  storedElsewhere(until: number): void {
    for (const [key, { end }] of this.#ended) if (end && end.at <= until) this.#ended.delete(key);
    this.#gaps = this.#gaps.filter(({ to }) => to > until);
    if (this.#lostSince !== undefined && this.#lostSince < until) this.#lostSince = undefined;
  }

  /**
   * Goes on from stays that are stored as not ended, which is true until `stored`; what is here counts from `from` on.
   * @returns those that have ended
   */
  goOnFrom(open: readonly Stay[], stored: number, from: number): Stay[] {
    const seen = [...this.#ended.values(), ...this.#open.values()];
    const { over, same } = reconcile({ open, seen, stored, watchedFrom: from });
    for (const [old, stay] of same) {
      if (this.#ended.delete(keyOf(old))) this.#ended.set(keyOf(stay), stay);
      else this.#open.set(stay.uid, stay);
    }
    for (const uid of this.#open.keys()) this.#unsaved.add(uid);
    return over;
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  #seen({ before, after, live }: SandboxSeen): void {
    const now = this.#options.now();
    if (after) {
      const { uid } = after.row;
      const known = this.#open.get(uid);
      const watched = live || !known ? now : this.#watchedUntil();
      const next = follow(known, { row: after.row, pod: ownPod(after), version: after.version, live, now, watched });
      if (next.ended) this.#keep(next.ended);
      if (next.open === known) return;
      this.#open.set(uid, next.open);
      this.#unsaved.add(uid);
      return;
    }
    const open = before && this.#open.get(before.row.uid);
    if (!open) return;
    this.#open.delete(open.uid);
    this.#unsaved.delete(open.uid);
    this.#keep(live ? ended(open, now, undefined) : ended(open, this.#watchedUntil(), undefined, true));
  }

  #keep(stay: Stay): void {
    const isFull = this.#ended.size >= this.#options.most;
    if (isFull && !this.#options.keepsLatest()) {
      this.#lostSince ??= stay.from ?? stay.seen;
      return;
    }
    const [oldest] = isFull ? this.#ended.keys() : [];
    if (oldest !== undefined) this.#ended.delete(oldest);
    this.#ended.set(keyOf(stay), stay);
  }

  #kind(kind: string) {
    return this.#source.freshness().kinds.find((each) => each.kind === kind);
  }

  /** A list is coming in: until when the watch before it was heard. */
  #watchedUntil(): number {
    return Math.min(...['sandboxes', 'pods'].map((kind) => this.#kind(kind)?.provenAt ?? this.#options.now()));
  }

  #stateChanged(): void {
    const now = this.#options.now();
    const sandboxes = this.#kind('sandboxes');
    if (sandboxes?.state !== 'live') {
      if (this.#watchedFrom !== undefined) this.#brokenAt ??= sandboxes?.provenAt ?? now;
      return;
    }
    this.#watchedFrom ??= now;
    if (this.#brokenAt !== undefined) this.#gaps.push({ from: this.#brokenAt, to: now });
    this.#brokenAt = undefined;
  }
}
