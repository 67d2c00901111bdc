import { randomUUID } from 'node:crypto';
import { existsSync, type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { RpcError } from './connect';

interface WatchEvent {
  readonly name: string;
  readonly type: 'EVENT_TYPE_CREATE' | 'EVENT_TYPE_WRITE' | 'EVENT_TYPE_REMOVE';
}

/** As many events as a watcher keeps that nobody asks for them. */
const KEPT_EVENTS = 10_000;

/** Watches folders. Node.js tells less than the kernel: changes of modes are writes, and a rename is a removal and a creation. */
export class Watchers {
  private readonly open = new Set<FSWatcher>();
  private readonly polled = new Map<string, { events: WatchEvent[]; stop: () => void }>();

  watch(real: string, recursive: boolean, tell: (event: WatchEvent) => void): () => void {
    const watcher = watch(real, { recursive }, (kind, name) => {
      if (name === null) return;
      const exists = kind === 'change' || existsSync(path.join(real, name));
      tell({ name, type: kind === 'change' ? 'EVENT_TYPE_WRITE' : exists ? 'EVENT_TYPE_CREATE' : 'EVENT_TYPE_REMOVE' });
    });
    this.open.add(watcher);
    // The folder itself was deleted: nothing more happens in it.
    watcher.on('error', () => watcher.close());
    return () => {
      watcher.close();
      this.open.delete(watcher);
    };
  }

  create(real: string, recursive: boolean): string {
    const id = `w${randomUUID().replaceAll('-', '')}`;
    const events: WatchEvent[] = [];
    const stop = this.watch(real, recursive, (event) => {
      if (events.length < KEPT_EVENTS) events.push(event);
    });
    this.polled.set(id, { events, stop });
    return id;
  }

  /** What happened since the last call. */
  take(id: string): WatchEvent[] {
    return this.find(id).events.splice(0);
  }

  remove(id: string): void {
    this.find(id).stop();
    this.polled.delete(id);
  }

  close(): void {
    for (const watcher of this.open) watcher.close();
  }

  private find(id: string) {
    const found = this.polled.get(id);
    if (!found) throw new RpcError('not_found', `watcher with id ${id} not found`);
    return found;
  }
}
