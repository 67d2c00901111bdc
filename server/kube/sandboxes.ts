import 'server-only';
import type { NodeRow, PoolRow, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { type InitImage, type PodImages, podImages } from '@/lib/domain/diagnosis/next-pod';
import type { PodDigest } from '@/lib/domain/facts';
import { metaOf, text } from '@/lib/domain/read';
import { templateRefOf } from '@/lib/domain/sandbox-asks';
import { type ObservedState, timedStateOf } from '@/lib/domain/sandbox-state';
import { type Ingested, retained } from './ingest';
import type { LostSessions } from './lost-sessions';
import type { PoolRates } from './pool-rates';
import type { Change } from './reflector';
import { projectSandbox, type UpgradeStep, upgradeStepOf } from './rows';
import type { RowTable } from './table';
import { type SeenTemplate, Templates } from './templates';

/** A sandbox as it was seen: its row, the Pod it was joined with, and its template, secrets included. */
export interface SeenSandbox {
  row: SandboxRow;
  pod: PodDigest | undefined;
  /** Undefined: its template is elsewhere (spec.templateRef), or none. */
  template: SeenTemplate | undefined;
  /** resourceVersion: opaque, compared for equality only. */
  version?: string | undefined;
}

/** Since when another process, before this one, saw a sandbox in a state, and the version of its object that it saw last. */
export interface EarlierStart {
  state: string;
  since: number;
  version: string;
}

/** The Pod of the sandbox itself: one that another sandbox of that name left behind is not. */
export function ownPod({ row, pod }: SeenSandbox): PodDigest | undefined {
  return pod && (pod.ownerUid === undefined || pod.ownerUid === row.uid) ? pod : undefined;
}

/** `after` absent: it is gone. `live`: seen as it happened; a list only tells that it happened since the last one. */
export interface SandboxSeen {
  before?: SeenSandbox;
  after?: SeenSandbox;
  live: boolean;
}

/** What is kept of a sandbox: enough to make its row again when its Pod changes. */
export interface SandboxEntry extends SeenSandbox {
  text: string;
  /** When the present state was first seen. */
  observed: ObservedState;
  /** Of its Pod, or the last that it had. */
  images: PodImages | undefined;
  /** spec.templateRef.name. */
  templateRef: string | undefined;
}

interface Context {
  table: RowTable<'sandboxes'>;
  rates: PoolRates;
  lost: LostSessions;
  poolOf(namespace: string, name: string): PoolRow | undefined;
  podOf(namespace: string, name: string): PodDigest | undefined;
  nodeOf(name: string): NodeRow | undefined;
  operationOf(namespace: string, name: string): UpgradeRow | undefined;
  /** Init containers of a SandboxTemplate; null: there is none of that name. */
  templateOf(namespace: string, name: string): readonly InitImage[] | null | undefined;
  sandboxOf(namespace: string, name: string): SandboxEntry | undefined;
  /** By uid. */
  earlier: ReadonlyMap<string, EarlierStart>;
  now(): number;
  seen(change: SandboxSeen): void;
}

const keptSteps = 12;
/** Times of conditions have no fractions. */
const wholeSecond = 1_000;

/** Rows of sandboxes: a Sandbox joined with the Pod of its name, and with that Pod's node. */
export class Sandboxes {
  #context: Context;
  #templates = new Templates();
  /** Nodes that were last seen not ready. */
  #unready = new Set<string>();
  /** `namespace/name` of operations that were last seen paused. */
  #paused = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
  }

  digest(object: Ingested, before: SandboxEntry | undefined, live: boolean): SandboxEntry | undefined {
    const pod = this.#context.podOf(object.namespace, object.name);
    const projected = this.#project(object.object, pod, before, this.#earlier(object));
    if (!projected) return undefined;
    const { row } = projected;
    const steps = this.#stepsOf(before?.row, row, upgradeStepOf(object.object), live);
    return {
      ...projected,
      text: retained(object.object),
      pod,
      template: this.#templates.of(object.object, before?.template),
      version: object.version,
      row: steps ? { ...row, steps } : row,
    };
  }

  changed({ namespace, name, value, before, live }: Change<SandboxEntry>): void {
    if (!value) {
      if (!before) return;
      if (live) this.#ended(before.row);
      this.#context.table.delete(before.row);
      this.#context.seen({ before, live });
      return;
    }
    this.#context.table.set(value.row);
    this.#context.seen({ ...(before ? { before } : {}), after: value, live });
    if (live) this.#count(before?.row, value.row);
    // A list takes a while to come in; meanwhile the Pod may have moved on.
    const pod = this.#context.podOf(namespace, name);
    if (pod !== value.pod) this.#join(value, pod, live);
  }

  /** The Pod of a sandbox came, changed or went. */
  podChanged({ namespace, name, value, live }: Change<PodDigest>): void {
    const entry = this.#context.sandboxOf(namespace, name);
    if (entry) this.#join(entry, value, live);
  }

  /** A node came, changed or went: that it is not ready may be why its Pods do not move. */
  nodeChanged({ name, value, live }: Pick<Change<NodeRow>, 'name' | 'value' | 'live'>): void {
    if (flips(this.#unready, name, value?.ready === false)) this.#joinAll((row) => row.node === name, live);
  }

  /** An operation came, changed or went: that it is paused may be why a sandbox that it woke does not move. */
  operationChanged({
    namespace,
    name,
    value,
    live,
  }: Pick<Change<UpgradeRow>, 'namespace' | 'name' | 'value' | 'live'>): void {
    if (flips(this.#paused, `${namespace}/${name}`, value?.paused === true)) {
      this.#joinAll((row) => row.op === name && row.ns === namespace, live);
    }
  }

  /** A SandboxTemplate came, changed or went: the next Pods of who refers to it are made from it. */
  templateChanged({ namespace, name, live }: Pick<Change<unknown>, 'namespace' | 'name' | 'live'>): void {
    const refers = (row: SandboxRow) =>
      row.ns === namespace && this.#context.sandboxOf(row.ns, row.name)?.templateRef === name;
    this.#joinAll(refers, live);
  }

  #joinAll(of: (row: SandboxRow) => boolean, live: boolean): void {
    for (const row of [...this.#context.table.rows()]) {
      const entry = of(row) ? this.#context.sandboxOf(row.ns, row.name) : undefined;
      if (entry) this.#join(entry, entry.pod, live);
    }
  }

  /** Nothing is counted here: a Pod tells why its sandbox does not move, never its state. */
  #join(entry: SandboxEntry, pod: PodDigest | undefined, live: boolean): void {
    const projected = this.#project(JSON.parse(entry.text), pod, entry);
    if (!projected) return;
    const before = { row: entry.row, pod: entry.pod, template: entry.template };
    const { steps } = entry.row;
    Object.assign(entry, projected, { pod });
    if (steps) entry.row = { ...projected.row, steps };
    this.#context.table.set(entry.row);
    this.#context.seen({ before, after: entry, live });
  }

  /**
   * The stages that an operation has led the sandbox through. What was seen to come is timed by this clock; what was there
   * already, by the condition, if it says so.
   */
  #stepsOf(before: SandboxRow | undefined, row: SandboxRow, step: UpgradeStep | undefined, live: boolean) {
    if (row.op === undefined) return undefined;
    const known = (before?.op === row.op ? before.steps : undefined) ?? [];
    const last = known.at(-1);
    const at = live && before ? this.#context.now() : step?.at;
    // What was missed in between may have begun long before its condition was read: then nobody knows when.
    const isNew = step && at !== undefined && last?.[0] !== step.reason && at >= (last?.[1] ?? at) - wholeSecond;
    const steps = isNew
      ? [...known, [step.reason, Math.max(at, last?.[1] ?? at)] satisfies [string, number]].slice(-keptSteps)
      : known;
    return steps.length > 0 ? steps : undefined;
  }

  /** What is known of exactly this version of the object. */
  #earlier({ uid, version }: Ingested): EarlierStart | undefined {
    const start = this.#context.earlier.get(uid);
    return start?.version === version ? start : undefined;
  }

  /**
   * A state whose start no condition tells lasts since it was first seen, at least. A list counts as seeing, too:
   * without a start the row would never be overdue, however long it hangs. Over a restart it goes on from what the process
   * before has seen only when the object is the same, to its resourceVersion: then it has not left the state, however long
   * nobody watched. Otherwise it may have left and come back, and lasts since now, at least.
   */
  #project(
    object: unknown,
    pod: PodDigest | undefined,
    before: Pick<SandboxEntry, 'row' | 'observed' | 'images'> | undefined,
    earlier?: EarlierStart,
  ): Pick<SandboxEntry, 'row' | 'observed' | 'images' | 'templateRef'> | undefined {
    const node = pod?.node === undefined ? undefined : this.#context.nodeOf(pod.node);
    const { ns = '', uid, labels } = metaOf(object) ?? {};
    const op = text(labels?.['agents.kruise.io/update-ops']);
    const operation = op === undefined ? undefined : this.#context.operationOf(ns, op);
    const templateRef = templateRefOf(object);
    const referenced = templateRef === undefined ? undefined : this.#context.templateOf(ns, templateRef);
    const isOwn = pod !== undefined && (pod.ownerUid === undefined || pod.ownerUid === uid);
    const images = isOwn ? podImages(pod) : before?.images;
    const project = (observed: ObservedState | undefined) =>
      projectSandbox(object, pod, observed, node, operation, { referenced, pod: images });
    const row = project(before?.observed);
    if (!row) return undefined;
    const about = { images, templateRef };
    if (before && timedStateOf(before.row) === timedStateOf(row)) return { ...about, row, observed: before.observed };
    const isGoingOn = before === undefined && earlier?.state === row.state;
    const observed = { state: timedStateOf(row), at: isGoingOn ? earlier.since : this.#context.now() };
    return { ...about, row: project(observed) ?? row, observed };
  }

  #ended(row: SandboxRow): void {
    const pool = row.pool === undefined ? undefined : this.#context.poolOf(row.ns, row.pool);
    this.#context.lost.deleted(row, pool, this.#context.now());
  }

  #count(before: SandboxRow | undefined, after: SandboxRow): void {
    if (after.deleting !== undefined && before?.deleting === undefined) this.#ended(after);
    const pool = (row: SandboxRow) => `${row.ns}/${row.pool}`;
    if (before?.idle && !after.idle && after.claimed) {
      this.#context.rates.count(pool(before), 'claims', this.#context.now());
      this.#context.lost.claimed(after, this.#context.now());
    }
    if (after.idle && after.state === 'Available' && before?.state !== 'Available') {
      this.#context.rates.count(pool(after), 'refills', this.#context.now());
    }
  }
}

/** Keeps in a set whether something is so; says whether that is new. */
function flips(set: Set<string>, key: string, isSo: boolean): boolean {
  if (isSo === set.has(key)) return false;
  if (isSo) set.add(key);
  else set.delete(key);
  return true;
}
