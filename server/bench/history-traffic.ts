import type { SandboxRow } from '@/lib/contracts/rows';
import type { RecorderSource } from '../history/stays/notebook';
import type { SandboxSeen, SeenSandbox } from '../kube/sandboxes';

type Place = Pick<SandboxRow, 'state' | 'gate' | 'stage'>;

/** The life of each sandbox, over and over. */
const life: readonly Place[] = [
  { state: 'Creating', gate: 'TakenUp' },
  { state: 'Creating', gate: 'Scheduled' },
  { state: 'Creating', gate: 'PodRunning' },
  { state: 'Available' },
  { state: 'Running' },
  { state: 'Upgrading', stage: 'PreUpgrade', gate: 'PreUpgradeHook' },
  { state: 'Upgrading', stage: 'UpgradePod', gate: 'PodRunning' },
  { state: 'Running' },
  { state: 'Pausing', gate: 'PodGone' },
  { state: 'Paused' },
  { state: 'Resuming', gate: 'PodRunning' },
  { state: 'Terminating', gate: 'PodGone' },
];

interface Traffic {
  /** Epoch ms of the first change. */
  begun: number;
  /** Changes a second. */
  rate: number;
  sandboxes: number;
}

/**
 * A cluster that is a function of time: change k comes at `begun + k / rate` to sandbox k modulo their number. A process that
 * starts later finds it where another one would have, and what has to be stored can be counted.
 */
export class HistoryTraffic implements RecorderSource {
  #traffic: Traffic;
  #known = new Map<number, SeenSandbox>();
  #sandboxListener: ((change: SandboxSeen) => void) | undefined;
  #stateListener: (() => void) | undefined;
  #now = 0;
  /** Changes that have come. */
  done = 0;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
  }

  onSandbox(listener: (change: SandboxSeen) => void) {
    this.#sandboxListener = listener;
    return () => undefined;
  }

  onState(listener: () => void) {
    this.#stateListener = listener;
    return () => undefined;
  }

  freshness() {
    const kinds = ['sandboxes', 'pods'].map((kind) => ({ kind, state: 'live' as const, provenAt: this.#now }));
    return { kinds, cluster: { name: 'bench', server: '', embedded: true, missing: [] } };
  }

  /** The first list, of how things are at a time. */
  list(now: number): void {
    this.done = this.#due(now);
    const from = Math.max(0, this.done - this.#traffic.sandboxes);
    for (let k = from; k < this.done; k++) this.#tell(k, false);
    this.#stateListener?.();
  }

  /** What comes until a time. */
  until(now: number): void {
    this.#now = now;
    const due = this.#due(now);
    for (; this.done < due; this.done++) this.#tell(this.done, true);
  }

  #due(now: number): number {
    return Math.max(0, Math.floor(((now - this.#traffic.begun) / 1_000) * this.#traffic.rate));
  }

  #tell(k: number, live: boolean): void {
    const { sandboxes } = this.#traffic;
    const index = k % sandboxes;
    const place = life[Math.floor(k / sandboxes) % life.length] ?? { state: 'Other' };
    const before = this.#known.get(index);
    const row: SandboxRow = {
      uid: `5c1d8a50-0000-4000-8000-${String(index).padStart(12, '0')}`,
      ns: `ns-${index % 5}`,
      name: `sandbox-${index}`,
      phase: place.state,
      sinceFrom: 'condition',
      since: timeOf(k, this.#traffic),
      pool: `pool-${index % 40}`,
      node: `node-${index % 100}`,
      hash: `rev-${index % 3}`,
      ...place,
    };
    const pod = { uid: podOf(k), ns: row.ns, name: row.name };
    const after: SeenSandbox = { row, pod: { ...pod, phase: 'Running', restarts: 0 }, template: undefined };
    this.#known.set(index, after);
    this.#sandboxListener?.({ ...(before ? { before } : {}), after, live });
  }
}

/** The Pod that a sandbox has from change k on; in the order of changes. */
export const podOf = (k: number): string => `7b2e9f61-0000-4000-8000-${String(k).padStart(12, '0')}`;

/** When change k comes, epoch ms. */
export const timeOf = (k: number, { begun, rate }: Pick<Traffic, 'begun' | 'rate'>): number =>
  Math.floor(begun + (k * 1_000) / rate);
