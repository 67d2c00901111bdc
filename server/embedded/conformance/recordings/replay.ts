import { Api } from '../../controllers/client/api';
import { objectSchema } from '../../controllers/client/objects';
import { collectionPath, objectPath, type Resource, resources } from '../../controllers/client/resources';
import type { ApiConnection } from '../../controllers/connect';
import { aboutControllers, momentsOf } from './moments';
import { Names } from './names';
import { Pace } from './pace';
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

/**
 * Does the steps of a recording in a namespace of its own, at their {@link Pace}. Resolves to everything that was seen until the
 * recording's end, and the problems of steps.
 * @throws Error when a step is not understood.
 */
export async function replay(
  connection: ApiConnection,
  recording: Recording,
  controllers: ControllersHandle | undefined,
  asRecorded: (seen: Seen[], namespace: string) => boolean,
): Promise<{ seen: Seen[]; namespace: string; problems: string[] }> {
  // A step that is not understood is said before anything is done.
  for (const step of recording.steps) if (step.action !== 'note') requestOf(step, (text) => text);
  const api = new Api(connection);
  const namespace = `${recording.namespace}-${Math.random().toString(36).slice(2, 8)}`;
  const run = new Run(api, namespace, recording, controllers);
  const problems: string[] = [];
  try {
    const created = await api.create(collectionPath(resources.namespaces), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    run.start(objectSchema.parse(created).metadata.resourceVersion);
    for (const steps of momentsOf(recording)) {
      const results = await Promise.allSettled(run.moment(steps));
      results.forEach((result, i) => {
        if (result.status === 'rejected') problems.push(`${steps[i]?.action}: ${messageOf(result.reason)}`);
      });
    }
    await run.pace.finish((seen) => asRecorded(seen, namespace));
    return { seen: sortByVersion([...run.seen]), namespace, problems };
  } finally {
    run.end();
    await api.remove(objectPath(resources.namespaces, { metadata: { name: namespace } })).catch(() => {});
    api.close();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

class Run {
  readonly seen: Seen[] = [];
  readonly pace: Pace;
  private readonly stopping = new AbortController();
  private readonly names = new Names();
  private readonly path: string;

  constructor(
    private readonly api: Api,
    private readonly namespace: string,
    recording: Recording,
    private readonly controllers: ControllersHandle | undefined,
  ) {
    this.pace = new Pace(recording, this.seen);
    this.path = objectPath(resources.namespaces, { metadata: { name: namespace } });
  }

  /** Watches from that version on, so that nothing is missed, however late a watch begins. */
  start(version: string): void {
    for (const resource of watched) {
      const path = `${collectionPath(resource, this.namespace)}?watch=true&resourceVersion=${version}`;
      this.api
        .watch(path, this.stopping.signal, 600_000, (line) => {
          const event = JSON.parse(line) as { type: Seen['type']; object: unknown };
          if (event.type !== 'ADDED' && event.type !== 'MODIFIED' && event.type !== 'DELETED') return;
          const object = objectSchema.parse(event.object);
          this.seen.push({ t: this.pace.now(), kind: resource.plural, type: event.type, object });
        })
        .catch(() => {});
    }
    this.pace.start();
  }

  /** Steps of one moment wait as the first of them does, and are sent at once. */
  moment([first, ...others]: Step[]): Promise<void>[] {
    if (first === undefined) return [];
    const due = this.pace.due(first).then(async (before) => {
      // Each on a connection that is open already, so that they are read in this order and together.
      if (others.length > 0) await Promise.all([first, ...others].map(() => this.api.get(this.path)));
      return before;
    });
    return [first, ...others].map((step) => this.step(step, due));
  }

  end = (): void => this.stopping.abort();

  private async step(step: Step, due: Promise<Seen[]>): Promise<void> {
    const before = await due;
    const about = aboutControllers(step);
    if (about !== undefined) {
      if (this.controllers === undefined) throw new Error('this run cannot stop the controllers');
      return await (about === 'stopped' ? this.controllers.stop() : this.controllers.start());
    }
    const request = requestOf(step, (text) => this.pace.moved(text));
    const name = request.creates ? request.name : this.names.here(request.name, before, this.seen);
    await perform(this.api, this.namespace, step, request, name);
  }
}
