import { sandboxSetSchema } from '../../controllers/client/objects';
import { changes, factsOf } from './facts';
import type { Seen } from './recording';

const plain = { text: (value: string) => value, hash: (_name: string, value: string) => value };
const known = new WeakMap<Seen, Map<string, string>>();

/** How many members each pool has, available and updated ones; `rest` when all pools have what they want. */
export function poolsOf(events: Seen[]): { counts: Map<string, string>; rest: boolean } {
  const counts = new Map<string, string>();
  const busy = new Set<string>();
  for (const { kind, type, object } of events) {
    if (kind !== 'sandboxsets') continue;
    const { name } = object.metadata;
    const { spec, status } = sandboxSetSchema.parse(object);
    const { replicas, availableReplicas, updatedReplicas, updatedAvailableReplicas } = status ?? {};
    // While it is being scaled a pool keeps old counts of what is updated.
    const updated = replicas === spec.replicas ? [updatedReplicas, updatedAvailableReplicas] : [];
    counts.set(name, [replicas, availableReplicas, ...updated].join(' '));
    if (type === 'DELETED') counts.delete(name);
    if (type !== 'DELETED' && (replicas !== spec.replicas || availableReplicas !== replicas)) busy.add(name);
    else busy.delete(name);
  }
  return { counts, rest: busy.size === 0 };
}

/** How many facts the named objects have gone through. Members of a pool are left out: they come and go. */
export function progressOf(events: Seen[]): Map<string, number> {
  const result = new Map<string, number>();
  const latest = new Map<string, Map<string, string>>();
  for (const event of events) {
    const { name, uid, generateName } = event.object.metadata;
    if (event.kind === 'events' || generateName !== undefined || /-[a-z0-9]{5,}$/.test(name)) continue;
    const facts = known.get(event) ?? factsOf(event, plain, true);
    known.set(event, facts);
    const key = `${event.kind} ${name}`;
    result.set(key, (result.get(key) ?? 0) + changes(latest.get(uid) ?? new Map(), facts).length);
    latest.set(uid, facts);
  }
  return result;
}
