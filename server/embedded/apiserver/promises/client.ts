import { type Fields, listOf, textOf } from '../core/objects';
import { type OpenWatch, openWatch, send, versionOf, type WatchEvent } from '../testing';

/** A client as every controller is one: it lists, watches from there, goes on where it was cut off, and lists again after a 410. */
export class ListWatcher {
  readonly cache = new Map<string, Fields>();
  /** All events in the order they came. */
  readonly events: WatchEvent[] = [];
  /** Changes that it cannot have seen, since it had to list again: after `from`, up to `to`. */
  readonly gaps: { from: number; to: number }[] = [];
  readonly problems: string[] = [];
  version = 0;
  #listed = false;
  #stopped = false;
  #watch: OpenWatch | undefined;
  #running: Promise<void> | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(
    readonly url: string,
    readonly selector = '',
  ) {}

  /** Lists where it has to, and watches; resolves when it does. */
  async resume(): Promise<void> {
    this.#stopped = false;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    await Promise.race([this.until(() => this.#watch !== undefined), this.#running]);
  }

  async pause(): Promise<void> {
    this.#stopped = true;
    this.#watch?.stop();
    await this.#running;
  }

  /** Resolves when this holds, or when something went wrong. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!holds() && this.problems.length === 0) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      if (!this.#listed) await this.#list();
      const query = `watch=1&resourceVersion=${this.version}${this.selector}`;
      this.#watch = await openWatch(`${this.url}?${query}`);
      this.#wake();
      if (this.#stopped) this.#watch.stop();
      await this.#follow(this.#watch);
      this.#watch = undefined;
    }
  }

  async #list(): Promise<void> {
    const { body } = await send(`${this.url}?${this.selector.slice(1)}`, 'GET');
    const to = Number(versionOf(body));
    if (to < this.version) this.problems.push(`a list of ${to} after version ${this.version}`);
    this.gaps.push({ from: this.version, to });
    this.cache.clear();
    for (const item of listOf(body, 'items') as Fields[]) this.cache.set(textOf(item, 'metadata', 'name'), item);
    this.version = to;
    this.#listed = true;
    this.#wake();
  }

  async #follow(watch: OpenWatch): Promise<void> {
    let handled = 0;
    let ended = false;
    watch.ended.then(() => {
      ended = true;
    });
    while (!ended || handled < watch.events.length) {
      await Promise.race([watch.until(handled + 1), watch.ended]);
      for (; handled < watch.events.length; handled += 1) this.#take(watch.events[handled] as WatchEvent);
      this.#wake();
    }
  }

  #take(event: WatchEvent): void {
    const { type, object } = event;
    if (type === 'ERROR') {
      if (object.code !== 410) this.problems.push(`an error: ${JSON.stringify(object)}`);
      this.#listed = false;
      return;
    }
    const name = textOf(object, 'metadata', 'name');
    const version = Number(versionOf(object));
    if (version <= this.version) this.problems.push(`${type} ${name} of version ${version} after ${this.version}`);
    if ((type === 'ADDED') === this.cache.has(name)) this.problems.push(`${type} ${name} does not fit to the cache`);
    this.version = version;
    this.events.push(event);
    if (type === 'DELETED') this.cache.delete(name);
    else this.cache.set(name, object);
  }

  #wake(): void {
    for (const check of [...this.#waiting]) check();
  }
}
