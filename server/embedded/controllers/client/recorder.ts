import { type Api, isNotFound } from './api';
import type { KubeObject } from './objects';
import { apiVersionOf, collectionPath, objectPath, type Resource, resources } from './resources';

const windowMs = 600_000;
const similarLimit = 10;
const burst = 25;
const refillMs = 300_000;
const cacheSize = 4096;

/**
 * Writes core/v1 Events the way client-go's recorder does: identical ones raise `count`; from the tenth similar one within ten
 * minutes a single "(combined from similar events)" takes the rest; past 25 events about one object only one every five minutes.
 * Events are written in order, beside the caller; one that cannot be written is lost.
 */
export class EventRecorder {
  private chain: Promise<void> = Promise.resolve();
  private readonly similar = new Map<string, { messages: Set<string>; last: number }>();
  private readonly written = new Map<string, { name: string; count: number }>();
  private readonly tokens = new Map<string, { left: number; at: number }>();

  constructor(
    private readonly api: Api,
    private readonly component: string,
  ) {}

  emit(resource: Resource, object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.chain = this.chain.then(() => this.write(resource, object, type, reason, message)).catch(() => {});
  }

  /** What comes next is counted and limited as if nothing had been told before. */
  forget(): void {
    this.similar.clear();
    this.written.clear();
    this.tokens.clear();
  }

  /** Settles when everything emitted so far was written. */
  flush = (): Promise<void> => this.chain;

  private async write(
    resource: Resource,
    object: KubeObject,
    type: string,
    reason: string,
    plain: string,
  ): Promise<void> {
    const now = Date.now();
    if (!this.allowed(`${resource.kind}/${object.metadata.uid}`, now)) return;
    const group = `${object.metadata.uid}|${type}|${reason}`;
    const combined = this.combine(group, plain, now);
    const message = combined ? `(combined from similar events): ${plain}` : plain;
    const key = combined ? group : `${group}|${plain}`;
    const timestamp = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
    const namespace = object.metadata.namespace ?? 'default';
    const known = this.written.get(key);
    if (known !== undefined) {
      const path = objectPath(resources.events, { metadata: { name: known.name, namespace } });
      try {
        await this.api.patch(path, { count: known.count + 1, lastTimestamp: timestamp, message });
        known.count += 1;
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    const name = `${object.metadata.name}.${(BigInt(now) * 1_000_000n + BigInt(Math.floor(Math.random() * 1e6))).toString(16)}`;
    await this.api.create(collectionPath(resources.events, namespace), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace },
      involvedObject: {
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
        name: object.metadata.name,
        namespace: object.metadata.namespace,
        resourceVersion: object.metadata.resourceVersion,
        uid: object.metadata.uid,
      },
      type,
      reason,
      message,
      count: 1,
      firstTimestamp: timestamp,
      lastTimestamp: timestamp,
      source: { component: this.component },
      // client-go leaves it empty on combined events.
      reportingComponent: combined ? '' : this.component,
    });
    remember(this.written, key, { name, count: 1 });
  }

  private combine(group: string, message: string, now: number): boolean {
    const known = this.similar.get(group);
    const entry =
      known === undefined || now - known.last > windowMs ? { messages: new Set<string>(), last: now } : known;
    entry.last = now;
    if (entry.messages.size < similarLimit) entry.messages.add(message);
    remember(this.similar, group, entry);
    return entry.messages.size >= similarLimit;
  }

  private allowed(key: string, now: number): boolean {
    const bucket = this.tokens.get(key) ?? { left: burst, at: now };
    bucket.left = Math.min(burst, bucket.left + (now - bucket.at) / refillMs);
    bucket.at = now;
    remember(this.tokens, key, bucket);
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }
}

/** Puts the entry last and drops the oldest one past the size. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= cacheSize) return;
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
}
