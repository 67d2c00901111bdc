import type { SandboxRow } from '@/lib/contracts/rows';
import type { KindFreshness } from '@/lib/contracts/stream';
import type { PodDigest } from '@/lib/domain/facts';
import type { SandboxSeen } from '../../kube/sandboxes';
import type { RecorderSource } from './notebook';

export const start = Date.parse('2026-11-30T10:00:00Z');

/** A cluster as a recorder watches it; what happens in it goes on while nobody does. */
export class TestWatch {
  now = start;
  rows = new Map<string, { row: SandboxRow; pod: PodDigest | undefined }>();
  #views = new Set<View>();

  /** Each recorder has a watch of its own. */
  view(): View {
    const view = new View(this);
    this.#views.add(view);
    return view;
  }

  /** A sandbox is, from now on, as given; what is not given is as before. */
  set(uid: string, over: Partial<SandboxRow>, pod?: Partial<PodDigest>): void {
    const known = this.rows.get(uid);
    const row: SandboxRow = known
      ? { ...known.row, ...over }
      : { uid, ns: 'lab', name: uid, phase: '', state: 'Creating', sinceFrom: 'unknown', ...over };
    const next = pod === undefined ? known?.pod : podOf(uid, pod);
    this.rows.set(uid, { row, pod: next });
    for (const view of this.#views) view.changed(uid);
  }

  /** Into a state that a condition times. */
  enter(uid: string, state: SandboxRow['state'], over: Partial<SandboxRow> = {}): void {
    const since = Math.floor(this.now / 1_000) * 1_000;
    this.set(uid, { state, since, sinceFrom: 'condition', gate: undefined, stage: undefined, ...over } as SandboxRow);
  }

  remove(uid: string): void {
    this.rows.delete(uid);
    for (const view of this.#views) view.changed(uid);
  }
}

const podOf = (name: string, over: Partial<PodDigest>): PodDigest => ({
  uid: `pod-of-${name}`,
  ns: 'lab',
  name,
  phase: 'Pending',
  restarts: 0,
  ...over,
});

type Seen = NonNullable<SandboxSeen['after']>;

class View implements RecorderSource {
  #watch: TestWatch;
  #known = new Map<string, Seen>();
  #state: KindFreshness['state'] = 'syncing';
  #provenAt: number | undefined;
  #sandboxListeners = new Set<(change: SandboxSeen) => void>();
  #stateListeners = new Set<() => void>();

  constructor(watch: TestWatch) {
    this.#watch = watch;
  }

  onSandbox(listener: (change: SandboxSeen) => void): () => void {
    this.#sandboxListeners.add(listener);
    return () => this.#sandboxListeners.delete(listener);
  }

  onState(listener: () => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  freshness() {
    const provenAt = this.#state === 'live' ? this.#watch.now : this.#provenAt;
    const kinds = ['sandboxes', 'pods'].map((kind) => ({
      kind,
      state: this.#state,
      ...(provenAt === undefined ? {} : { provenAt }),
    }));
    return { kinds, cluster: { name: 'lab', server: '', embedded: true, missing: [] } };
  }

  /** The list is in; from now on it watches. */
  list(): void {
    for (const uid of new Set([...this.#known.keys(), ...this.#watch.rows.keys()])) this.#tell(uid, false);
    this.#become('live');
  }

  /** The watch ends without a word. */
  break(): void {
    this.#provenAt = this.#watch.now;
    this.#become('degraded');
  }

  changed(uid: string): void {
    if (this.#state === 'live') this.#tell(uid, true);
  }

  #become(state: KindFreshness['state']): void {
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }

  #tell(uid: string, live: boolean): void {
    const before = this.#known.get(uid);
    const now = this.#watch.rows.get(uid);
    const after = now && { ...now, template: undefined };
    if (after) this.#known.set(uid, after);
    else this.#known.delete(uid);
    for (const listener of this.#sandboxListeners) {
      listener({ ...(before ? { before } : {}), ...(after ? { after } : {}), live });
    }
  }
}
