import { Watcher } from '../play';
import { plurals, readObject, type World } from '../world';
import { type Box, type Fields, image, ns, prefix, randomFrom, runtime } from './parts.testing';

interface Due {
  at: number;
  run(now: number): void;
}

/** Objects in simulated time: a queue of what happens next, and the writes of controllers and kubelet. */
export abstract class SimulatedCluster {
  readonly #watcher = new Watcher();
  /** How many pauses, claims, … there were: a run that did nothing proves nothing. */
  readonly counts: Record<string, number> = {};
  protected readonly boxes = new Map<string, Box>();
  protected desired = 4;
  /** Of the pool's template; how often its spec was written. */
  protected revision = 1;
  protected poolGeneration = 1;
  protected podUid = 0;
  protected now: number;
  #due: Due[] = [];
  protected readonly random: () => number;

  /** `start`: epoch ms. */
  constructor(start: number, seed: number) {
    this.now = start;
    this.random = randomFrom(seed);
  }

  *run(end: number): Generator<World> {
    for (;;) {
      const next = this.#due.sort((a, b) => a.at - b.at).shift();
      if (!next || next.at > end) return;
      const between = this.now + (next.at - this.now) * this.random();
      yield this.world(between);
      this.now = next.at;
      next.run(next.at);
      yield this.world(next.at);
    }
  }

  protected world(now: number): World {
    return { ...this.#watcher.world, complete: new Set(plurals), now, skew: 0 };
  }

  /** Seconds, at least and at most. */
  protected after(least: number, most: number, run: Due['run']): void {
    this.#due.push({ at: this.now + 1000 * (least + (most - least) * this.random()), run });
  }

  protected count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  protected put(kind: keyof World['objects'], object: Fields): void {
    const read = readObject(JSON.parse(JSON.stringify(object)));
    if (!read) throw new Error('an object without a name');
    this.#watcher.see(kind, read, false, this.now);
  }

  protected has(kind: keyof World['objects'], name: string): boolean {
    return this.#watcher.world.objects[kind].has(`${ns}/${name}`);
  }

  protected remove(kind: keyof World['objects'], name: string): void {
    const object = this.#watcher.world.objects[kind].get(`${ns}/${name}`);
    if (object) this.#watcher.see(kind, object, true, this.now);
  }

  protected time = (ms = this.now): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

  protected set(box: Box, type: string, status: 'True' | 'False', reason: string): void {
    const before = box.status.conditions[type];
    const at = before?.status === status ? before.lastTransitionTime : this.time();
    box.status.conditions[type] = { type, status, reason, lastTransitionTime: at };
  }

  protected write(box: Box): void {
    if (!this.boxes.has(box.name)) return;
    const owner = {
      apiVersion: 'agents.kruise.io/v1alpha1',
      kind: 'SandboxSet',
      name: 'web',
      uid: 'pool',
      controller: true,
    };
    this.put('sandboxes', {
      kind: 'Sandbox',
      metadata: {
        name: box.name,
        namespace: ns,
        uid: box.uid,
        generation: box.generation,
        creationTimestamp: this.time(box.created),
        labels: box.labels,
        annotations: box.annotations,
        finalizers: box.finalizers,
        ...(box.idle ? { ownerReferences: [owner] } : {}),
        ...(box.deleting === undefined ? {} : { deletionTimestamp: this.time(box.deleting) }),
      },
      spec: box.spec,
      status: { ...box.status, conditions: Object.values(box.status.conditions) },
    });
    this.pool();
  }

  protected members = (): Box[] => [...this.boxes.values()].filter(({ idle }) => idle);

  protected revisionOf = (box: Box): string | undefined => box.labels[`${prefix}template-hash`];

  protected pool(): void {
    const members = this.members();
    const available = members.filter(({ status }) => status.conditions.Ready?.status === 'True').length;
    this.put('sandboxsets', {
      kind: 'SandboxSet',
      metadata: {
        name: 'web',
        namespace: ns,
        uid: 'pool',
        generation: this.poolGeneration,
        creationTimestamp: this.time(0),
      },
      spec: {
        replicas: this.desired,
        template: { spec: { initContainers: [runtime], containers: [{ name: 'main', image }] } },
      },
      status: {
        observedGeneration: this.poolGeneration,
        replicas: members.length,
        availableReplicas: available,
        updateRevision: `r${this.revision}`,
      },
    });
  }

  protected pod(box: Box, change: { phase: string; ready?: boolean; deleting?: number }): void {
    const running = change.phase === 'Running';
    this.put('pods', {
      kind: 'Pod',
      metadata: {
        name: box.name,
        namespace: ns,
        uid: `pod-${this.podUid}`,
        ownerReferences: [
          { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'Sandbox', name: box.name, uid: box.uid, controller: true },
        ],
        ...(change.deleting === undefined ? {} : { deletionTimestamp: this.time(change.deleting) }),
      },
      spec: { nodeName: 'node-1', initContainers: [runtime], containers: [{ name: 'main', image }] },
      status: {
        phase: change.phase,
        conditions: [
          { type: 'PodScheduled', status: 'True' },
          { type: 'Ready', status: change.ready ? 'True' : 'False' },
        ],
        initContainerStatuses: [
          { ...runtime, state: running ? { running: {} } : { waiting: { reason: 'PodInitializing' } } },
        ],
        containerStatuses: [
          { name: 'main', image, state: running ? { running: {} } : { waiting: { reason: 'ContainerCreating' } } },
        ],
      },
    });
  }

  /** A Pod comes in its steps; `then` when it is ready. */
  protected startPod(box: Box, then: () => void, runs: () => void = () => undefined): void {
    if (!this.boxes.has(box.name)) return;
    this.podUid++;
    this.pod(box, { phase: 'Pending' });
    this.after(0.9, 3.1, () => {
      if (!this.boxes.has(box.name)) return;
      this.pod(box, { phase: 'Running' });
      runs();
      this.after(0, 0.4, () => {
        if (!this.boxes.has(box.name)) return;
        this.pod(box, { phase: 'Running', ready: true });
        this.after(0, 0.3, then);
      });
    });
  }

  protected endPod(box: Box, most: number, then: () => void): void {
    this.pod(box, { phase: 'Running', ready: true, deleting: this.now });
    this.after(0.7, most, () => {
      this.remove('pods', box.name);
      this.after(0, 0.05, then);
    });
  }
}
