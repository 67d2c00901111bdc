import 'server-only';
import type { RowKind, RowOf, UpgradeRow } from '@/lib/contracts/rows';
import type { Freshness } from '@/lib/contracts/stream';
import type { UpgradeGuard } from '@/lib/contracts/upgrade-writes';
import type { GuardLimits } from '@/lib/contracts/upgrades';
import type { Reached } from '@/lib/domain/upgrades/guard-limits';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Principal } from '../access/principal';
import type { History } from '../history/database';
import type { StoredGuard } from '../history/guards';
import type { RowChange } from '../kube/table';
import { log } from '../log';
import { Firing } from './guard-firing';
import { GuardShelf } from './guard-shelf';
import { Turns } from './turns';

/** What guards watch; the cluster of server/kube is one. */
export type GuardSource = {
  onChange(listener: (change: RowChange) => void): () => void;
  onState(listener: () => void): () => void;
  row<K extends RowKind>(kind: K, uid: string): RowOf<K> | undefined;
  rows(kind: 'sandboxupdateops'): Iterable<UpgradeRow>;
  freshness(): Freshness;
};

/** What a guard does, as the person who set it. `over`: there is nothing to pause any more. */
export type GuardActions = {
  pause(guard: StoredGuard, op: UpgradeRow, reached: Reached): Promise<'paused' | 'over' | { problem: string }>;
  /** The annotation of the operation that says which guard it was created with. */
  markOf(guard: StoredGuard): Promise<{ uid: string; guard?: string } | undefined>;
};

/** The watch may show an operation later than the answer to its create does. */
const unseenMs = 60_000;
/** A guard whose operation never came into being. */
const pendingMs = 24 * 3_600_000;

/**
 * Pauses operations that fail too much, each at most once, for those who set a guard on them. Guards are stored before they
 * count; what is stored is taken up again when the console starts, and judged by what the first list shows.
 */
export class Guards {
  #source: GuardSource;
  #actions: GuardActions;
  #now: () => number;
  #guards: GuardShelf;
  #turns = new Turns();
  #firing: Firing;
  #ends: (() => void)[];

  constructor(source: GuardSource, history: History, actions: GuardActions, now: () => number = Date.now) {
    this.#source = source;
    this.#guards = new GuardShelf(history, now, () => this.#lookAtAll());
    this.#actions = actions;
    this.#now = now;
    this.#firing = new Firing({
      shelf: this.#guards,
      now,
      rowOf: (opUid) => source.row('sandboxupdateops', opUid),
      pause: (...asked) => actions.pause(...asked),
      begin: (guard, work) => this.#inBackground(guard, work),
    });
    this.#ends = [
      source.onChange(({ kind, uid }) => {
        if (kind !== 'sandboxupdateops') return;
        const op = source.row(kind, uid);
        if (op) this.#look(op);
        // Otherwise it is only out of sight.
        else if (this.#isLive()) this.#forget(uid);
      }),
      source.onState(() => this.#forgetGone()),
    ];
  }

  /** Takes up what is stored; while the database is away, again and again. */
  recall(): Promise<void> {
    return this.#guards.recall();
  }

  /** As pages show it; null: none is set. */
  of(opUid: string): UpgradeGuard | null {
    const guard = this.#of(opUid);
    if (!guard) return null;
    const { limits, state, principal, setAt, firedAt, problem } = guard;
    return {
      limits,
      state,
      setBy: principal.subject,
      setAt,
      ...(firedAt === undefined ? {} : { firedAt }),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  /** In whose name it would pause. */
  principalOf(opUid: string): Principal | undefined {
    return this.#of(opUid)?.principal;
  }

  /**
   * Stores a guard for an operation that is about to be created, which is to carry the id in its annotation.
   * @throws {HistoryUnavailable}
   */
  async prepare(target: { namespace: string; opName: string }, limits: GuardLimits, principal: Principal) {
    return this.#guards.put({ ...target, limits, principal });
  }

  /** The operation has been created. */
  async bind(id: string, opUid: string): Promise<void> {
    const guard = this.#guards.get(id);
    if (!guard) return;
    await this.#bind(guard, opUid);
    const op = this.#source.row('sandboxupdateops', opUid);
    if (op) this.#look(op);
  }

  /** The operation was not created. */
  async cancel(id: string): Promise<void> {
    const guard = this.#guards.get(id);
    if (guard) await this.#drop(guard);
  }

  /** Sets, changes (and arms again) or takes away the guard of an operation. @throws {HistoryUnavailable} */
  async set(op: { uid: string; namespace: string; name: string }, limits: GuardLimits | null, principal: Principal) {
    const { uid: opUid, namespace, name: opName } = op;
    log.info({ key: 'guard.set', namespace, name: opName, limits, actor: principal.subject });
    // One that was set on another console is to go too.
    await this.#guards.refresh();
    const id = limits ? await this.#guards.put({ namespace, opName, opUid, limits, principal }) : undefined;
    // Not those from before: while this one was stored, somebody else may have set another.
    for (const guard of this.#allOf(opUid)) if (guard.id !== id) await this.#drop(guard);
    const row = this.#source.row('sandboxupdateops', op.uid);
    if (row) this.#look(row);
  }

  stop(): void {
    for (const end of this.#ends) end();
    this.#guards.stop();
    this.#firing.stop();
  }

  #of(opUid: string): StoredGuard | undefined {
    return this.#allOf(opUid).at(-1);
  }

  #allOf(opUid: string): StoredGuard[] {
    return [...this.#guards.all()].filter((guard) => guard.opUid === opUid).sort((a, b) => a.setAt - b.setAt);
  }

  /** One that was set since, on the operation itself, is what people want. */
  async #bind(guard: StoredGuard, opUid: string): Promise<void> {
    if (guard.opUid !== undefined) return;
    if (this.#of(opUid)) return this.#drop(guard);
    guard.opUid = opUid;
    await this.#guards.save(guard);
  }

  #lookAtAll(): void {
    for (const op of this.#source.rows('sandboxupdateops')) this.#look(op);
    this.#forgetGone();
  }

  #drop(guard: StoredGuard): Promise<void> {
    this.#firing.forget(guard);
    return this.#guards.drop(guard);
  }

  /** Whatever it is busy with: what comes of that no longer counts. */
  #end(guard: StoredGuard): void {
    void this.#drop(guard).catch((error: unknown) => log.error({ key: 'guard.fault', guard: guard.id, err: error }));
  }

  #look(op: UpgradeRow): void {
    for (const guard of this.#guards.all()) this.#compare(guard, op);
  }

  #compare(guard: StoredGuard, op: UpgradeRow): void {
    if (guard.opUid === op.uid) this.#judge(guard, op);
    else if (guard.opUid === undefined && guard.namespace === op.ns && guard.opName === op.name) this.#find(guard);
  }

  #judge(guard: StoredGuard, op: UpgradeRow): void {
    if (guard.state === 'fired') return;
    if (isActive(op)) this.#firing.look(guard, op);
    else this.#end(guard);
  }

  /** Whether an operation of that name is the one that the guard was made for. */
  #find(guard: StoredGuard): void {
    this.#inBackground(guard, async () => {
      const mark = await this.#actions.markOf(guard);
      if (mark && mark.guard === guard.id) await this.#bind(guard, mark.uid);
      // The name is taken: by now its own can no longer come.
      else if (mark && guard.opUid === undefined && !this.#isNew(guard)) await this.#drop(guard);
    });
  }

  /** One thing at a time for a guard; what changes meanwhile is looked at afterwards. @returns whether it begins */
  #inBackground(guard: StoredGuard, work: () => Promise<void>): boolean {
    const { id, opUid } = guard;
    const failed = (error: unknown) => log.error({ key: 'guard.fault', guard: id, err: error });
    return this.#turns.take(id, work, failed, (more) => {
      if ((!more && guard.opUid === opUid) || !this.#guards.get(id)) return;
      for (const op of this.#source.rows('sandboxupdateops')) this.#compare(guard, op);
    });
  }

  #forget(opUid: string): void {
    for (const guard of this.#guards.all()) {
      if (guard.opUid === opUid) this.#end(guard);
    }
  }

  /** Operations that went while nobody watched, and those that never came. */
  #forgetGone(): void {
    if (!this.#isLive()) return;
    for (const guard of this.#guards.all()) {
      const { opUid, setAt } = guard;
      if (opUid === undefined) {
        if (this.#now() - setAt > pendingMs) this.#end(guard);
      } else if (!this.#isNew(guard) && !this.#source.row('sandboxupdateops', opUid)) this.#forget(opUid);
    }
  }

  #isLive(): boolean {
    return this.#source.freshness().kinds.some(({ kind, state }) => kind === 'sandboxupdateops' && state === 'live');
  }

  #isNew({ setAt }: StoredGuard): boolean {
    return this.#now() - setAt < unseenMs;
  }
}
