import { expect } from 'vitest';
import { type Fields, fieldsOf, listOf, textOf } from '../core/objects';
import { type Reply, send, versionOf } from '../testing';
import type { ListWatcher } from './client';
import { type Model, type Outcome, seenIn } from './model';

/** One write that changed something. */
interface Written {
  type: string;
  name: string;
  version: number;
  object: Fields | undefined;
}

/** Everything that was written to a collection, each write looked at as it was made. */
export class History {
  readonly #written: Written[] = [];
  #version = 0;

  constructor(
    readonly url: string,
    readonly model: Model,
  ) {}

  /** The version of the last write. */
  get version(): number {
    return this.#version;
  }

  async begin(): Promise<void> {
    this.#version = await this.#currentVersion();
  }

  /** The version that an object was last written at; 1 for one that never was. */
  versionOf(name: string): string {
    return String(this.#written.findLast((write) => write.name === name)?.version ?? 1);
  }

  expect(name: string, { status, body }: Reply, outcome: Outcome): void {
    expect(status < 400 ? 'taken' : 'refused', `${name} ${JSON.stringify(body)}`).toBe(
      outcome === 'refused' ? outcome : 'taken',
    );
  }

  /** One of several writes that were made at once. */
  passed(name: string, object: Fields): void {
    expect(Number(versionOf(object))).toBeGreaterThan(this.#version);
    this.#version = Number(versionOf(object));
    this.#written.push({ type: 'MODIFIED', name, version: this.#version, object });
  }

  /** Looks at what a write left behind; `object` is what it was answered with. */
  async settle(name: string, object: Fields | undefined, outcome: Outcome): Promise<void> {
    const version = await this.#currentVersion();
    if (outcome === 'refused' || outcome === 'unchanged') {
      expect(version, `${outcome}, so nothing may change`).toBe(this.#version);
      return;
    }
    expect(version).toBeGreaterThan(this.#version);
    this.#version = version;
    const { body } = await send(`${this.url}/${name}`, 'GET');
    if (outcome === 'DELETED') {
      expect(body.code).toBe(404);
    } else {
      expect(seenIn(body)).toEqual(this.model.seen(name));
      expect(Number(versionOf(body))).toBe(version);
      if (object !== undefined) expect(object).toEqual(body);
    }
    this.#written.push({ type: outcome, name, version, object: outcome === 'DELETED' ? undefined : body });
  }

  /** What clients saw against what was written, and what they hold against a fresh list; `selecting` sees `app=x` alone. */
  async compare(all: ListWatcher, selecting: ListWatcher): Promise<void> {
    const { body } = await send(this.url, 'GET');
    const items = listOf(body, 'items') as Fields[];
    expect(items.map((item) => textOf(item, 'metadata', 'name'))).toEqual(this.model.names);
    for (const client of [all, selecting]) expect(client.problems).toEqual([]);
    const inOrder = (cache: ReadonlyMap<string, Fields>) =>
      [...cache].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
    expect(inOrder(all.cache)).toEqual(items);
    expect(inOrder(selecting.cache)).toEqual(items.filter((item) => fieldsOf(item, 'metadata', 'labels').app === 'x'));

    const missed = ({ version }: Written) => all.gaps.some(({ from, to }) => version > from && version <= to);
    const expected = this.#written.filter((write) => !missed(write));
    const seen = all.events.map(({ type, object }) => [
      type,
      textOf(object, 'metadata', 'name'),
      Number(versionOf(object)),
    ]);
    expect(seen).toEqual(expected.map(({ type, name, version }) => [type, name, version]));
    for (const [index, { object }] of expected.entries()) {
      if (object !== undefined) expect(all.events[index]?.object).toEqual(object);
    }
  }

  async #currentVersion(): Promise<number> {
    const { body } = await send(`${this.url}?limit=1`, 'GET');
    return Number(versionOf(body));
  }
}
