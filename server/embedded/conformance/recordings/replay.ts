import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '../../controllers/client/api';
import { objectSchema } from '../../controllers/client/objects';
import { collectionPath, objectPath, type Resource, resources } from '../../controllers/client/resources';
import type { ApiConnection } from '../../controllers/connect';
import { effectOf } from './effects';
import { Names } from './names';
import { poolsOf, progressOf } from './progress';
import { type Recording, type Seen, type Step, sortByVersion } from './recording';
import { perform, requestOf } from './steps';
import type { ControllersHandle } from './types';

const watched: Resource[] = [
  resources.sandboxes,
  resources.sandboxsets,
  resources.sandboxclaims,
  resources.sandboxupdateops,
  resources.sandboxtemplates,
  resources.checkpoints,
  resources.pods,
  resources.events,
];

// From the start of kubectl to its request, where nothing in the recording shows it.
const kubectlSeconds = 0.15;
// What happened that shortly before a recording's end may have been missed by its watches.
const lastSeconds = 0.5;
const momentSeconds = 0.05;
const pollMs = 20;
const endPollMs = 200;
/** How long a step waits for a run that is behind the recording. */
const patienceMs = 6000;
const momentMs = 1500;
/** Between the requests of several clients at one moment. */
const apartMs = 4;
const endPatienceMs = 5000;

/**
 * Does the steps of a recording in a namespace of its own, each as long after the one before as in the recording, and later when
 * the run is behind. Resolves to everything that was seen until the recording's end, and the problems of steps.
 * @throws Error when a step is not understood.
 */
export async function replay(
  connection: ApiConnection,
  recording: Recording,
  controllers: ControllersHandle | undefined,
  asRecorded: (seen: Seen[], namespace: string, end: number) => boolean,
): Promise<{ seen: Seen[]; namespace: string; problems: string[]; end: number }> {
  // A step that is not understood is said before anything is done.
  for (const step of recording.steps) if (step.action !== 'note') requestOf(step, (text) => text);
  const api = new Api(connection);
  const namespace = `${recording.namespace}-${Math.random().toString(36).slice(2, 8)}`;
  const run = new Run(api, namespace, recording);
  const problems: string[] = [];
  try {
    await api.create(collectionPath(resources.namespaces), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    await run.watch();
    for (const steps of together(recording.steps)) {
      const results = await Promise.allSettled(run.moment(steps, controllers));
      results.forEach((result, i) => {
        if (result.status === 'rejected') problems.push(`${steps[i]?.action}: ${messageOf(result.reason)}`);
      });
    }
    const end = await run.finish((seen, t) => asRecorded(seen, namespace, t));
    return { seen: sortByVersion([...run.seen]), namespace, problems, end };
  } finally {
    run.end();
    await api.remove(objectPath(resources.namespaces, { metadata: { name: namespace } })).catch(() => {});
    api.close();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// Who else may do something is the API server's matter: it has its own checks.
const isByAnother = (step: Step): boolean => step.action.includes(' --as ');

/** Requests of several clients at one moment are sent at one moment. */
function together(steps: Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of [...steps].sort((a, b) => a.t - b.t)) {
    const last = groups.at(-1);
    const first = last?.[0];
    if (first?.action.startsWith('POST') && step.action.startsWith('POST') && step.t - first.t < momentSeconds)
      last?.push(step);
    else groups.push([step]);
  }
  return groups;
}

class Run {
  readonly seen: Seen[] = [];
  private readonly stopping = new AbortController();
  /** Epoch milliseconds of t = 0 in this run; moves when the run is behind. */
  private zero = Date.now();
  private readonly names = new Names();

  constructor(
    private readonly api: Api,
    private readonly namespace: string,
    private readonly recording: Recording,
  ) {}

  async watch(): Promise<void> {
    for (const resource of watched) {
      const path = `${collectionPath(resource, this.namespace)}?watch=true&resourceVersion=0`;
      this.api
        .watch(path, this.stopping.signal, 600_000, (line) => {
          const event = JSON.parse(line) as { type: Seen['type']; object: unknown };
          if (event.type !== 'ADDED' && event.type !== 'MODIFIED' && event.type !== 'DELETED') return;
          const object = objectSchema.parse(event.object);
          this.seen.push({ t: (Date.now() - this.zero) / 1000, kind: resource.plural, type: event.type, object });
        })
        .catch(() => {});
    }
    await sleep(100);
    const first = this.recording.steps[0]?.t ?? 0;
    this.zero = Date.now() - first * 1000;
  }

  /** Steps of one moment wait as the first of them does, and are sent at once, in the order in which they were taken. */
  moment(steps: Step[], controllers: ControllersHandle | undefined): Promise<void>[] {
    const [only] = steps;
    if (only !== undefined && steps.length === 1) return [this.step(only, controllers)];
    const [first, ...others] = steps.toSorted((a, b) => this.taken(a) - this.taken(b));
    if (first === undefined) return [];
    const due = this.due(first);
    // One right after the other: each is on its way before the one before it is answered.
    return [first, ...others].map((step, i) =>
      this.step(
        step,
        controllers,
        due.then((seen) => sleep(i * apartMs, seen)),
      ),
    );
  }

  /** The version that a step's effect had, to put steps in order. */
  private taken(step: Step): number {
    const { resource, name } = requestOf(step, (text) => text);
    return Number(effectOf(this.recording, step, resource.plural, name)?.version ?? 0);
  }

  private async step(step: Step, controllers: ControllersHandle | undefined, due?: Promise<Seen[]>): Promise<void> {
    if (step.action === 'note') return await this.note(step, controllers);
    if (isByAnother(step)) return;
    const before = await (due ?? this.due(step));
    const request = requestOf(step, (text) => this.moved(text));
    const name = request.creates ? request.name : this.names.here(request.name, before, this.seen);
    await perform(this.api, this.namespace, step, request, name);
  }

  /** Waits until this run is where the recording was at that step. Resolves to what had been recorded before it. */
  private async due(step: Step): Promise<Seen[]> {
    const { resource, name } = requestOf(step, (text) => text);
    const effect = effectOf(this.recording, step, resource.plural, name);
    const before = this.recording.events.filter(
      ({ t, object }) =>
        t <= step.t || (effect !== undefined && Number(object.metadata.resourceVersion) < Number(effect.version)),
    );
    await this.reach(effect?.t ?? step.t + kubectlSeconds, before);
    return before;
  }

  /** Waits for the recording's end, and a while longer for a run that is not as it was. Resolves to the end in seconds. */
  async finish(asRecorded: (seen: Seen[], end: number) => boolean): Promise<number> {
    const end = Math.max(...this.recording.events.map(({ t }) => t), this.recording.steps.at(-1)?.t ?? 0);
    await sleep(Math.max(0, this.zero + end * 1000 - Date.now()));
    let looked = -1;
    for (const until = Date.now() + endPatienceMs; Date.now() < until; await sleep(endPollMs)) {
      if (this.seen.length === looked) continue;
      looked = this.seen.length;
      if (asRecorded(sortByVersion([...this.seen]), end - lastSeconds)) break;
    }
    return end - lastSeconds;
  }

  end = (): void => this.stopping.abort();

  private async note(step: Step, controllers: ControllersHandle | undefined): Promise<void> {
    const text = step.note ?? '';
    const scaled = /scale of (\S+) to (\d+) through the subresource: accepted/.exec(text);
    const about = /controllers? (stopped|started)/.exec(text)?.[1];
    if (scaled !== null) {
      const [, name, replicas] = scaled;
      return await this.step({ t: step.t, action: `kubectl scale sbs ${name} --replicas ${replicas}` }, controllers);
    }
    if (about === undefined) return;
    if (controllers === undefined) throw new Error('this run cannot stop the controllers');
    await this.reach(
      step.t,
      this.recording.events.filter(({ t }) => t <= step.t),
    );
    await (about === 'stopped' ? controllers.stop() : controllers.start());
  }

  /** Waits for the moment, and a while longer for what has not come as far as by then in the recording. */
  private async reach(t: number, before: Seen[]): Promise<void> {
    await sleep(Math.max(0, this.zero + t * 1000 - Date.now()));
    const goal = progressOf(before);
    const { counts, rest } = poolsOf(before);
    // What is in the middle of a change may have been there for a moment only.
    const patience = rest ? patienceMs : momentMs;
    let looked = -1;
    for (const until = Date.now() + patience; Date.now() < until; await sleep(pollMs)) {
      if (this.seen.length === looked) continue;
      looked = this.seen.length;
      const now = progressOf(this.seen);
      const pools = poolsOf(sortByVersion([...this.seen])).counts;
      if (
        [...goal].every(([key, count]) => (now.get(key) ?? 0) >= count) &&
        [...counts].every(([name, count]) => pools.get(name) === count)
      )
        break;
    }
    this.zero = Math.max(this.zero, Date.now() - t * 1000);
  }

  /** Times count from the start of this run. */
  private moved(text: string): string {
    return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) =>
      new Date(Date.parse(time) - this.recording.start + this.zero).toISOString().replace(/\.\d+Z$/, 'Z'),
    );
  }
}
