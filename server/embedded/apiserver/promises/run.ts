import { type Fields, fieldsOf } from '../core/objects';
import type { ApiServer } from '../server';
import { AGENTS, type Reply, send, versionOf } from '../testing';
import { ListWatcher } from './client';
import type { Command } from './command';
import { History } from './history';
import { Model, type Outcome } from './model';

/** With everything that would be filled in. */
const SPEC = { scaleStrategy: {}, updateStrategy: { maxUnavailable: '20%' } };
const LIST = 'application/json-patch+json';

/** A sequence of commands on a server, with two clients that watch, and a model that says what should come of each. */
export class Run {
  readonly #model = new Model();
  readonly #client: ListWatcher;
  readonly #selecting: ListWatcher;
  readonly #history: History;

  constructor(readonly server: ApiServer) {
    this.#history = new History(this.#url, this.#model);
    this.#client = new ListWatcher(this.#url);
    this.#selecting = new ListWatcher(this.#url, '&labelSelector=app%3Dx');
  }

  get #url(): string {
    return `${this.server.url}${AGENTS}/sandboxsets`;
  }

  get #clients(): ListWatcher[] {
    return [this.#client, this.#selecting];
  }

  async all(commands: readonly Command[]): Promise<void> {
    try {
      await this.#history.begin();
      await this.#resume();
      for (const each of commands) await this.#one(each);
      await this.#resume();
      await this.#one({
        do: 'create',
        name: 'end',
        patch: { labels: { app: 'x' } },
        replicas: 0,
        basis: 'none',
        dryRun: false,
      });
      await Promise.all(this.#clients.map((client) => client.until(() => client.cache.has('end'))));
      await this.#history.compare(this.#client, this.#selecting);
    } finally {
      await Promise.all(this.#clients.map((client) => client.pause()));
    }
  }

  async #one(command: Command): Promise<unknown> {
    const { name: whose, replicas: count, dryRun: dry } = command;
    const url = `${this.#url}/${whose}`;
    const model = this.#model;
    const query = dry ? '?dryRun=All' : '';
    const write = async (method: string, to: string, body: unknown, act: () => Outcome, type?: string) =>
      this.#write(
        whose,
        await send(`${to}${query}`, method, body, type === undefined ? {} : { 'Content-Type': type }),
        dry ? model.tried(act) : act(),
      );
    const versioned = (patch: Fields): Fields => {
      const resourceVersion = { none: undefined, current: this.#history.versionOf(whose), stale: '1' }[command.basis];
      return resourceVersion === undefined
        ? patch
        : { ...patch, metadata: { ...fieldsOf(patch, 'metadata'), resourceVersion } };
    };
    /** What comes of a write that says which version it is about. */
    const checked = (act: () => Outcome) => (command.basis === 'stale' ? () => 'refused' as const : act);
    switch (command.do) {
      case 'create': {
        const { labels: given = {}, finalizers: held = [] } = command.patch;
        const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as Record<
          string,
          string
        >;
        const spec = { replicas: count, ...SPEC };
        const metadata = { name: whose, labels: set, finalizers: held };
        const body = { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'SandboxSet', metadata, spec };
        return write('POST', this.#url, body, () =>
          model.create(whose, { labels: set, finalizers: held, spec, status: undefined }),
        );
      }
      case 'merge': {
        const { labels: changed, finalizers: held, replicas: wanted } = command.patch;
        const metadata = { ...(changed && { labels: changed }), ...(held && { finalizers: held }) };
        const patch = { metadata, ...(wanted === undefined ? {} : { spec: { replicas: wanted } }) };
        return write(
          'PATCH',
          url,
          versioned(patch),
          checked(() => model.patch(whose, patch, 'main')),
        );
      }
      case 'json': {
        const before = fieldsOf(model.seen(whose)?.spec).replicas ?? 0;
        const operations = [
          { op: 'test', path: '/spec/replicas', value: command.basis === 'stale' ? -1 : before },
          { op: 'replace', path: '/spec/replicas', value: count },
        ];
        const act = checked(() => model.patch(whose, { spec: { replicas: count } }, 'main'));
        return write('PATCH', url, operations, act, LIST);
      }
      case 'status': {
        const status = { replicas: count, availableReplicas: 0, updatedReplicas: 0, observedGeneration: count };
        return write(
          'PATCH',
          `${url}/status`,
          versioned({ status, spec: { replicas: 99 } }),
          checked(() => model.patch(whose, { status }, 'status')),
        );
      }
      case 'scale':
        return write('PATCH', `${url}/scale`, { spec: { replicas: count } }, () =>
          model.patch(whose, { spec: { replicas: count } }, 'main'),
        );
      case 'delete': {
        const resourceVersion = { none: undefined, current: this.#history.versionOf(whose), stale: '1' }[command.basis];
        // Where there is a body, the query does not count.
        const asked = { preconditions: { resourceVersion }, ...(dry ? { dryRun: ['All'] } : {}) };
        const body = resourceVersion === undefined ? undefined : asked;
        return write(
          'DELETE',
          url,
          body,
          checked(() => model.delete(whose)),
        );
      }
      case 'wrong':
        return this.#wrong(whose, count);
      case 'burst':
        return this.#burst(whose, count + 2);
      case 'pause':
        return Promise.all(this.#clients.map((client) => client.pause()));
      case 'resume':
        return this.#resume();
      case 'endWatches':
        return this.server.closeAllWatches();
      case 'compact':
        return this.server.compact();
    }
  }

  /** Requests that must be refused, and change nothing. */
  async #wrong(whose: string, which: number): Promise<void> {
    const url = `${this.#url}/${whose}`;
    const wrongs: [url: string, patch: unknown, type?: string][] = [
      [url, { spec: { replicas: -1 } }],
      [url, { spec: { replicas: 'two' }, metadata: { labels: { app: 'y' } } }],
      [url, { metadata: { labels: { app: 'not a label!' } }, spec: { replicas: 9 } }],
      [
        url,
        [
          { op: 'replace', path: '/spec/replicas', value: 9 },
          { op: 'remove', path: '/none' },
        ],
        LIST,
      ],
    ];
    const [to, patch, type] = wrongs[which % wrongs.length] ?? [url, 1];
    this.#history.expect(
      whose,
      await send(to, 'PATCH', patch, type === undefined ? {} : { 'Content-Type': type }),
      'refused',
    );
    await this.#history.settle(whose, undefined, 'refused');
  }

  /** Several writes of one object at once: they are made one after the other, in the order of their versions. */
  async #burst(whose: string, count: number): Promise<void> {
    const patches = Array.from({ length: count }, (_, index) => ({
      metadata: { labels: { [`burst${index}`]: String(this.#history.version) } },
    }));
    const replies = await Promise.all(patches.map((patch) => send(`${this.#url}/${whose}`, 'PATCH', patch)));
    const outcomes = patches.map((patch) => this.#model.patch(whose, patch, 'main'));
    for (const [index, reply] of replies.entries()) this.#history.expect(whose, reply, outcomes[index] ?? 'refused');
    if (outcomes[0] === 'refused') return this.#history.settle(whose, undefined, 'refused');
    const objects = replies.map(({ body }) => body).sort((a, b) => Number(versionOf(a)) - Number(versionOf(b)));
    const last = objects.pop();
    for (const object of objects) this.#history.passed(whose, object);
    await this.#history.settle(whose, last, 'MODIFIED');
  }

  async #write(whose: string, reply: Reply, outcome: Outcome): Promise<void> {
    this.#history.expect(whose, reply, outcome);
    await this.#history.settle(whose, reply.body.kind === 'SandboxSet' ? reply.body : undefined, outcome);
  }

  #resume(): Promise<unknown> {
    return Promise.all(this.#clients.map((client) => client.resume()));
  }
}
