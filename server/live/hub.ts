import 'server-only';
import { randomBytes } from 'node:crypto';
import type { RowKind, RowLists, RowOf } from '@/lib/contracts/rows';
import type { Freshness, RowsReply, StreamMessage } from '@/lib/contracts/stream';
import type { LimitSettings } from '@/lib/contracts/triage';
import { noSettings, visibleLimits } from '@/lib/domain/limits';
import { clusterNow } from '@/server/kube/cluster-clock';
import { namespaceOf, type RowChange } from '@/server/kube/table';
import { ChangeLog } from './change-log';
import { encodeMessage } from './encode';

type Message<T extends StreamMessage['type']> = Extract<StreamMessage, { type: T }>;

/** What the hub needs of a cluster. */
export interface HubSource {
  rows<K extends RowKind>(kind: K): Iterable<RowLists[K][number]>;
  row<K extends RowKind>(kind: K, uid: string): RowOf<K> | undefined;
  freshness(): Freshness;
  prove(): Promise<void>;
  onChange(listener: (change: RowChange) => void): () => void;
  onState(listener: () => void): () => void;
}

/** Which rows go to a subscriber. Subscribers with the same key see the same, and share what is serialised. */
export interface View {
  key: string;
  sees(kind: RowKind, namespace: string): boolean;
}

/** The way to one browser. */
export interface Outlet {
  /** False when it has enough for now; it is then left alone until {@link Subscription.drained}. */
  write(chunk: Uint8Array): boolean;
  /** Nothing more will come. */
  close(): void;
}

export interface Subscription {
  /** The outlet takes more again. */
  drained(): void;
  /** What this person may see has changed: the tab lists again. */
  resync(): void;
  /** Rights are gone. */
  forbid(): void;
  end(): void;
}

interface Subscriber {
  outlet: Outlet;
  group: Group;
  /** While it lags behind its group: the number it has got, and since when. */
  lag: { seq: number; since: number } | undefined;
}

interface Group {
  view: View;
  /** What every member that does not lag has got. */
  seq: number;
  members: Set<Subscriber>;
  flushedAt: number;
  timer: NodeJS.Timeout | undefined;
}

export interface HubOptions {
  /** Between two batches of changes. */
  flushMs: number;
  heartbeatMs: number;
  /** Changes that are remembered for tabs that come back. */
  remembered: number;
  /** A browser that takes nothing for this long is told to list again. */
  slowMs: number;
  now(): number;
  /** What rows are judged by. */
  limits(): LimitSettings;
  /** Version of the marks on sandboxes of namespaces that are seen. */
  marks(sees: (namespace: string) => boolean): string;
}

const defaults: HubOptions = {
  flushMs: 250,
  heartbeatMs: 10_000,
  remembered: 100_000,
  slowMs: 30_000,
  now: clusterNow,
  limits: () => noSettings,
  marks: () => '',
};

/** The first change after a quiet time does not wait for a whole interval, only for its companions. */
const companionsMs = 20;

/** Sends every change of a cluster's rows to every subscriber that may see it, coalesced. */
export class Hub {
  #source: HubSource;
  #options: HubOptions;
  #log: ChangeLog;
  #groups = new Map<string, Group>();
  #heartbeat: NodeJS.Timeout;
  #unsubscribe: (() => void)[];
  #stopped = false;

  constructor(source: HubSource, options: Partial<HubOptions> = {}) {
    this.#source = source;
    this.#options = { ...defaults, ...options };
    this.#log = new ChangeLog(this.#options.remembered, randomBytes(6).toString('hex'));
    this.#unsubscribe = [
      source.onChange((change) => {
        this.#log.append(change);
        for (const group of this.#groups.values()) this.#schedule(group);
      }),
      source.onState(() => this.beat()),
    ];
    this.#heartbeat = setInterval(() => void source.prove().then(() => this.beat()), this.#options.heartbeatMs);
    this.#heartbeat.unref();
  }

  get subscribers(): number {
    let count = 0;
    for (const group of this.#groups.values()) count += group.members.size;
    return count;
  }

  /** Number of the last change: as long as it stays, lists of a view stay the same. */
  get head(): number {
    return this.#log.head;
  }

  /** Every row of a view, with the cursor from which a stream continues. */
  list(view: View): RowsReply {
    const of = <K extends RowKind>(kind: K): RowLists[K][number][] => {
      const rows: RowLists[K][number][] = [];
      for (const row of this.#source.rows(kind)) if (view.sees(kind, namespaceOf(kind, row))) rows.push(row);
      return rows;
    };
    return {
      cursor: this.#log.cursor(this.#log.head),
      time: this.#options.now(),
      freshness: this.#source.freshness(),
      limits: this.#limitsFor(view),
      marks: this.#marksFor(view),
      rows: {
        sandboxes: of('sandboxes'),
        sandboxsets: of('sandboxsets'),
        sandboxupdateops: of('sandboxupdateops'),
        sandboxclaims: of('sandboxclaims'),
        nodes: of('nodes'),
        namespaces: of('namespaces'),
      },
    };
  }

  /** Continues from a cursor. One that is of no use is answered with a gap, and the outlet is closed. */
  subscribe(view: View, cursor: string, outlet: Outlet): Subscription | undefined {
    const seq = this.#log.read(cursor);
    if (this.#stopped || typeof seq === 'string') {
      this.#last(
        outlet,
        this.#stopped ? this.#end('stopping', true) : this.#gap(seq === 'expired' ? seq : 'restarted'),
      );
      return undefined;
    }
    const group = this.#group(view);
    const subscriber: Subscriber = { outlet, group, lag: { seq, since: this.#options.now() } };
    // A member before anything is flushed: the flush may drop all others, and with the last one goes the group.
    group.members.add(subscriber);
    this.#catchUp(subscriber);
    outlet.write(encodeMessage(this.#heartbeatMessage(group)));
    return {
      drained: () => this.#catchUp(subscriber),
      resync: () => this.#dismiss(subscriber, this.#gap('resync')),
      forbid: () => this.#dismiss(subscriber, this.#end('forbidden', false)),
      end: () => this.#leave(subscriber),
    };
  }

  /** Ends every stream; tabs come back by themselves when there is a server again. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#heartbeat);
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    for (const group of [...this.#groups.values()]) {
      for (const subscriber of [...group.members]) this.#dismiss(subscriber, this.#end('stopping', true));
    }
  }

  #group(view: View): Group {
    const group = this.#groups.get(view.key) ?? {
      view,
      seq: this.#log.head,
      members: new Set(),
      flushedAt: 0,
      timer: undefined,
    };
    this.#groups.set(view.key, group);
    return group;
  }

  #schedule(group: Group): void {
    if (group.timer) return;
    const due = group.flushedAt + this.#options.flushMs - this.#options.now();
    group.timer = setTimeout(() => this.#flush(group), Math.max(companionsMs, due));
  }

  #flush(group: Group): void {
    clearTimeout(group.timer);
    group.timer = undefined;
    if (group.seq === this.#log.head) return;
    const from = group.seq;
    const chunk = this.#deltaSince(group.view, from);
    group.seq = this.#log.head;
    group.flushedAt = this.#options.now();
    for (const subscriber of group.members) {
      if (subscriber.lag) this.#dropIfSlow(subscriber);
      else if (chunk && !subscriber.outlet.write(chunk)) subscriber.lag = { seq: group.seq, since: group.flushedAt };
    }
  }

  /** Sends one that lags everything up to where its group is: coalesced, so never more than there are rows. */
  #catchUp(subscriber: Subscriber): void {
    const { lag, group, outlet } = subscriber;
    if (!lag || !group.members.has(subscriber)) return;
    if (!this.#log.holds(lag.seq)) {
      this.#dismiss(subscriber, this.#gap('slow'));
      return;
    }
    this.#flush(group);
    const chunk = this.#deltaSince(group.view, lag.seq);
    const takesMore = !chunk || outlet.write(chunk);
    subscriber.lag = takesMore ? undefined : { seq: group.seq, since: this.#options.now() };
  }

  #dropIfSlow(subscriber: Subscriber): void {
    const { lag } = subscriber;
    if (!lag) return;
    const tooLong = this.#options.now() - lag.since > this.#options.slowMs;
    if (tooLong || !this.#log.holds(lag.seq)) this.#dismiss(subscriber, this.#gap('slow'));
  }

  /** Tells everybody how fresh things are, what they are judged by, and whether somebody has said something, now. */
  beat(): void {
    for (const group of this.#groups.values()) {
      this.#flush(group);
      const chunk = encodeMessage(this.#heartbeatMessage(group));
      for (const subscriber of group.members) {
        if (subscriber.lag) this.#dropIfSlow(subscriber);
        else if (!subscriber.outlet.write(chunk)) subscriber.lag = { seq: group.seq, since: this.#options.now() };
      }
    }
  }

  #leave(subscriber: Subscriber): void {
    const { group } = subscriber;
    if (!group.members.delete(subscriber) || group.members.size > 0) return;
    clearTimeout(group.timer);
    this.#groups.delete(group.view.key);
  }

  #dismiss(subscriber: Subscriber, message: Message<'gap' | 'end'>): void {
    this.#leave(subscriber);
    this.#last(subscriber.outlet, message);
  }

  #last(outlet: Outlet, message: Message<'gap' | 'end'>): void {
    outlet.write(encodeMessage(message));
    outlet.close();
  }

  #deltaSince(view: View, seq: number): Uint8Array | undefined {
    const upserts: Partial<Record<RowKind, unknown[]>> = {};
    const removes: Partial<Record<RowKind, string[]>> = {};
    for (const [kind, changes] of this.#log.since(seq)) {
      const rows: unknown[] = [];
      const gone: string[] = [];
      for (const [uid, { namespace }] of changes) {
        if (!view.sees(kind, namespace)) continue;
        const row = this.#source.row(kind, uid);
        if (row) rows.push(row);
        else gone.push(uid);
      }
      if (rows.length > 0) upserts[kind] = rows;
      if (gone.length > 0) removes[kind] = gone;
    }
    if (Object.keys(upserts).length + Object.keys(removes).length === 0) return undefined;
    const cursor = this.#log.cursor(this.#log.head);
    return encodeMessage({ type: 'delta', cursor, time: this.#options.now(), upserts, removes });
  }

  #heartbeatMessage({ seq, view }: Group): Message<'heartbeat'> {
    return {
      type: 'heartbeat',
      cursor: this.#log.cursor(seq),
      time: this.#options.now(),
      freshness: this.#source.freshness(),
      limits: this.#limitsFor(view),
      marks: this.#marksFor(view),
    };
  }

  #marksFor(view: View): string {
    return this.#options.marks((namespace) => view.sees('sandboxes', namespace));
  }

  /** Without the names of pools that the view does not show. */
  #limitsFor(view: View): LimitSettings {
    return visibleLimits(this.#options.limits(), (namespace) => view.sees('sandboxsets', namespace));
  }

  #gap(reason: Message<'gap'>['reason']): Message<'gap'> {
    return { type: 'gap', time: this.#options.now(), reason };
  }

  #end(reason: 'forbidden' | 'stopping', retry: boolean): Message<'end'> {
    return { type: 'end', time: this.#options.now(), reason, retry };
  }
}
