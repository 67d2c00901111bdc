import 'server-only';
import type { RowKind, RowLists, RowOf, SandboxRow } from '@/lib/contracts/rows';
import type { ClusterInfo, Freshness } from '@/lib/contracts/stream';
import { type InitImage, templateInits } from '@/lib/domain/diagnosis/next-pod';
import type { PodDigest } from '@/lib/domain/facts';
import { metaOf, text } from '@/lib/domain/read';
import { readEnvironment } from '@/server/env';
import { once } from '@/server/once';
import { KubeClient } from './client';
import { type ClusterClock, clusterClock } from './cluster-clock';
import { type ClusterConfig, clusterConfig } from './config';
import type { Ingested } from './ingest';
import { agentsKinds, type WatchedKind, watched } from './kinds';
import { LostSessions } from './lost-sessions';
import { PoolRates } from './pool-rates';
import { type PoolEntry, Pools } from './pools';
import { probe } from './probe';
import { type Change, Reflector, type ReflectorOptions } from './reflector';
import { digestPod, projectClaim, projectNamespace, projectNode, projectUpgrade } from './rows';
import { type EarlierStart, ownPod, type SandboxEntry, Sandboxes, type SandboxSeen } from './sandboxes';
import { type RowChange, RowTable } from './table';
import { defaultTiming, type Timing } from './timing';
import { UnlabelledPods } from './unlabelled-pods';

const probeEveryMs = 5_000;
/** While the API server is away: how soon its return is noticed. */
const probeAwayMs = 1_000;
const probeSpacingMs = 500;
const ratesEveryMs = 10_000;
const unlabelledEveryMs = 5_000;
/** Listed after what their rows are joined with. */
const joined: ReadonlySet<WatchedKind> = new Set(['sandboxes', 'sandboxsets']);

type Tables = { [K in RowKind]: RowTable<K> };

/** One watched cluster: one list and one watch a kind, and the rows made of them. */
export class Cluster {
  readonly client: KubeClient;
  #config: ClusterConfig;
  #timing: Timing;
  #now: () => number;
  #clock: ClusterClock | undefined;
  #version: string | undefined;
  #changeListeners = new Set<(change: RowChange) => void>();
  #stateListeners = new Set<() => void>();
  #sandboxListeners = new Set<(change: SandboxSeen) => void>();
  #tables: Tables;
  #rates = new PoolRates();
  #pools: Pools;
  #reflectors: Map<WatchedKind, Reflector<unknown>>;
  #pods: Reflector<PodDigest>;
  #unlabelled: UnlabelledPods;
  #templates: Reflector<readonly InitImage[]>;
  #sandboxes: Reflector<SandboxEntry>;
  #timers: NodeJS.Timeout[] = [];
  #probed: { at: number; done: Promise<void> } | undefined;
  /** Whether the last probe was answered. */
  #answers = true;

  /**
   * @param clock is set by the cluster's answers; `now` then is its
   * @param earlier by uid, what another process saw before this one
   */
  constructor(
    config: ClusterConfig,
    timing: Timing = defaultTiming,
    now: () => number = Date.now,
    clock?: ClusterClock,
    earlier: ReadonlyMap<string, EarlierStart> = new Map(),
  ) {
    this.client = new KubeClient(config);
    this.#config = config;
    this.#timing = timing;
    this.#now = now;
    this.#clock = clock;
    const told = (change: RowChange) => {
      for (const listener of this.#changeListeners) listener(change);
    };
    const tables: Tables = {
      sandboxes: new RowTable('sandboxes', told),
      sandboxsets: new RowTable('sandboxsets', told),
      sandboxupdateops: new RowTable('sandboxupdateops', told),
      sandboxclaims: new RowTable('sandboxclaims', told),
      nodes: new RowTable('nodes', told),
      namespaces: new RowTable('namespaces', told),
    };
    this.#tables = tables;
    const rates = this.#rates;
    const lost = new LostSessions();
    const sandboxes = new Sandboxes({
      table: tables.sandboxes,
      rates,
      lost,
      poolOf: (namespace, name) => tables.sandboxsets.getByName(namespace, name),
      podOf: (namespace, name) => this.#pods.get(namespace, name) ?? unlabelled.get(namespace, name),
      nodeOf: (name) => tables.nodes.getByName('', name),
      operationOf: (namespace, name) => tables.sandboxupdateops.getByName(namespace, name),
      templateOf: (namespace, name) => this.#templateOf(namespace, name),
      sandboxOf: (namespace, name) => this.#sandboxes.get(namespace, name),
      earlier,
      now,
      seen: (change) => {
        for (const listener of this.#sandboxListeners) listener(change);
      },
    });
    const unlabelled = new UnlabelledPods({
      client: this.client,
      sandboxes: () => (this.#pods.freshness().state === 'live' ? tables.sandboxes.rows() : []),
      watchedPod: (namespace, name) => this.#pods.get(namespace, name),
      changed: (change) => sandboxes.podChanged(change),
      now,
    });
    this.#unlabelled = unlabelled;
    this.#pools = new Pools({
      table: tables.sandboxsets,
      rates,
      lost,
      poolOf: (namespace, name) => poolReflector.get(namespace, name),
      templateOf: (namespace, name) => this.#templateOf(namespace, name),
      sandboxes: () => (this.#sandboxes.freshness().state === 'live' ? tables.sandboxes.rows() : undefined),
      now,
    });
    this.#pods = this.#reflect<PodDigest>('pods', {
      digest: (pod) => digestPod(pod.object),
      onChange: (change) => sandboxes.podChanged(change),
    });
    this.#templates = this.#reflect<readonly InitImage[]>('sandboxtemplates', {
      digest: (template) => templateInits(template.object) ?? [],
      onChange: (change) => {
        sandboxes.templateChanged(change);
        this.#pools.templateChanged(change);
      },
    });
    this.#sandboxes = this.#reflect<SandboxEntry>('sandboxes', {
      digest: (object, before, live) => sandboxes.digest(object, before, live),
      onChange: (change) => sandboxes.changed(change),
    });
    const poolReflector = this.#reflect<PoolEntry>('sandboxsets', {
      digest: (object, before, live) => this.#pools.digest(object, before, live),
      onChange: (change) => this.#pools.changed(change),
    });
    this.#reflectors = new Map<WatchedKind, Reflector<unknown>>([
      ['sandboxes', this.#sandboxes],
      ['sandboxsets', poolReflector],
      [
        'sandboxupdateops',
        this.#reflectRows(tables.sandboxupdateops, 'sandboxupdateops', projectUpgrade, (change) =>
          sandboxes.operationChanged(change),
        ),
      ],
      ['sandboxclaims', this.#reflectRows(tables.sandboxclaims, 'sandboxclaims', projectClaim)],
      ['pods', this.#pods],
      ['sandboxtemplates', this.#templates],
      ['nodes', this.#reflectRows(tables.nodes, 'nodes', projectNode, (change) => sandboxes.nodeChanged(change))],
      ['namespaces', this.#reflectRows(tables.namespaces, 'namespaces', projectNamespace)],
    ]);
    this.onState(() => {
      if (this.#sandboxes.freshness().state === 'live') {
        rates.begin(now());
        void unlabelled.look();
      } else rates.interrupt();
    });
  }

  start(): void {
    for (const [kind, reflector] of this.#reflectors) if (!joined.has(kind)) void reflector.run();
    void this.#templates.settled.then(() => this.#reflectors.get('sandboxsets')?.run());
    // Sandboxes are joined with their Pods and SandboxTemplates, pools with the latter: listed after them, every row is made once. And what
    // is seen first is timed by a clock that is known.
    void Promise.all([this.prove(), this.#pods.settled, this.#templates.settled]).then(() => this.#sandboxes.run());
    this.#timers = [
      setInterval(() => this.#proveWhenDue(), probeAwayMs).unref(),
      setInterval(() => this.#pools.refresh(), ratesEveryMs).unref(),
      setInterval(() => void this.#unlabelled.look(), unlabelledEveryMs).unref(),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const reflector of this.#reflectors.values()) reflector.stop();
  }

  /** Resolves when every kind was listed or has shown that it cannot be, at the latest after `timeoutMs`. */
  async ready(timeoutMs: number): Promise<void> {
    const all = Promise.all([...this.#reflectors.values()].map((reflector) => reflector.settled));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([all, late]);
    clearTimeout(timer);
  }

  rows<K extends RowKind>(kind: K): Iterable<RowLists[K][number]> {
    return this.#tables[kind].rows();
  }

  row<K extends RowKind>(kind: K, uid: string): RowOf<K> | undefined {
    return this.#tables[kind].get(uid);
  }

  /** Namespace '' for nodes and namespaces. */
  byName<K extends RowKind>(kind: K, namespace: string, name: string): RowOf<K> | undefined {
    return this.#tables[kind].getByName(namespace, name);
  }

  /** The Pod that a sandbox has now, as last seen; none while it has none of its own. */
  podOf({ ns, name }: Pick<SandboxRow, 'ns' | 'name'>): PodDigest | undefined {
    const entry = this.#sandboxes.get(ns, name);
    return entry && ownPod(entry);
  }

  /** An annotation of a sandbox, as last seen; of long ones nothing is kept. */
  annotationOf({ ns, name }: Pick<SandboxRow, 'ns' | 'name'>, annotation: string): string | undefined {
    const entry = this.#sandboxes.get(ns, name);
    return entry && text(metaOf(JSON.parse(entry.text))?.annotations[annotation]);
  }

  info(): ClusterInfo {
    const missing = agentsKinds.filter((kind) => this.#reflectors.get(kind)?.freshness().state === 'missing');
    return {
      name: this.#config.name,
      server: this.#config.server.href.replace(/\/$/, ''),
      ...(this.#version === undefined ? {} : { version: this.#version }),
      embedded: this.#config.embedded,
      missing: [...missing],
      ...(this.#clock?.corrected ? { clockAheadMs: this.#clock.corrected } : {}),
    };
  }

  freshness(): Freshness {
    return { kinds: [...this.#reflectors.values()].map((each) => each.freshness()), cluster: this.info() };
  }

  /** Sees whether the API server answers; settles when it is known. Called often, it asks seldom. */
  prove(): Promise<void> {
    if (this.#probed && this.#now() - this.#probed.at < probeSpacingMs) return this.#probed.done;
    const done = this.#prove();
    this.#probed = { at: this.#now(), done };
    return done;
  }

  /** Every row that comes, changes or goes. */
  onChange(listener: (change: RowChange) => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  /** The state of a kind has changed. */
  onState(listener: () => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  /** Every sandbox that comes, changes or goes, and every change of its Pod, with templates: for this process only. */
  onSandbox(listener: (change: SandboxSeen) => void): () => void {
    this.#sandboxListeners.add(listener);
    return () => this.#sandboxListeners.delete(listener);
  }

  /** Init containers of a SandboxTemplate; null where all were listed and it is not among them. */
  #templateOf(namespace: string, name: string): readonly InitImage[] | null | undefined {
    const { state, provenAt } = this.#templates.freshness();
    const isListed = provenAt !== undefined && (state === 'live' || state === 'degraded');
    return this.#templates.get(namespace, name) ?? (isListed ? null : undefined);
  }

  async #prove(): Promise<void> {
    const answer = await probe(this.client, this.#clock);
    const back = answer !== undefined && !this.#answers;
    this.#answers = answer !== undefined;
    if (!answer) return;
    this.#version = answer.version ?? this.#version;
    for (const reflector of this.#reflectors.values()) {
      reflector.vouch(this.#now());
      if (back) reflector.retry();
    }
  }

  #proveWhenDue(): void {
    const away = [...this.#reflectors.values()].some((each) => each.freshness().state === 'degraded');
    if (away || !this.#probed || this.#now() - this.#probed.at >= probeEveryMs) void this.prove();
  }

  #reflect<T>(kind: WatchedKind, part: Pick<ReflectorOptions<T>, 'digest' | 'onChange'>): Reflector<T> {
    return new Reflector<T>({
      watched: watched[kind],
      client: this.client,
      timing: this.#timing,
      now: this.#now,
      onState: () => {
        for (const listener of this.#stateListeners) listener();
      },
      ...part,
    });
  }

  #reflectRows<K extends RowKind>(
    table: RowTable<K>,
    kind: K,
    project: (object: unknown) => RowOf<K> | undefined,
    changed?: (change: Change<RowOf<K>>) => void,
  ): Reflector<RowOf<K>> {
    return this.#reflect<RowOf<K>>(kind, {
      digest: (object: Ingested) => project(object.object),
      onChange: (change: Change<RowOf<K>>) => {
        const { value, before } = change;
        if (value) table.set(value);
        else if (before) table.delete(before);
        changed?.(change);
      },
    });
  }
}

/** By uid, what the process before this one saw: rows of the first list go on from it, so it is to be there before. */
export const earlierStarts = (): Map<string, EarlierStart> => once('kube.earlier', () => new Map());

/** The cluster of this process; the first call starts watching it. @throws ConfigError when none is configured */
export function getCluster(): Cluster {
  return once('kube.cluster', () => {
    const env = readEnvironment();
    const timing = { ...defaultTiming, silence: env.CONSOLE_WATCH_SILENCE_SECONDS * 1000 };
    const clock = clusterClock();
    const cluster = new Cluster(clusterConfig(env), timing, clock.now, clock, earlierStarts());
    cluster.start();
    return cluster;
  });
}
