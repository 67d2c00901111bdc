import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxSchema } from '../client/objects';
import { collectionPath, resources } from '../client/resources';
import { label } from '../rules/keys';
import type { TestCluster } from './cluster';
import { eventTexts, histories, observable } from './observe';
import { loadRecording, type Seen, sortByVersion } from './recording';
import { perform } from './steps';

const waitMs = 15_000;
const pollMs = 10;
const eventsMs = 8000;
// A step that came later than this after the last change found everything at rest.
const restSeconds = 2;

export interface Replayed {
  recorded: Seen[];
  seen: Seen[];
}

let runs = 0;

/**
 * Runs the steps of a recording on the cluster, each when what can be seen is what could be seen before it in the recording,
 * and waits for the same end. `until`: only the part of the recording before that second.
 */
export async function replay(cluster: TestCluster, name: string, until = Number.POSITIVE_INFINITY): Promise<Replayed> {
  const recording = loadRecording(name);
  runs += 1;
  const namespace = `rec-${runs}-${name}`.slice(0, 63);
  const recorded = recording.events.filter(({ t }) => t < until);
  await cluster.api.create(collectionPath(resources.namespaces), { metadata: { name: namespace } });
  const names = new Map<string, string>();
  for (const step of recording.steps.filter(({ t }) => t < until)) {
    const before = recorded.filter(({ t }) => t <= step.t);
    const changes = before.filter(({ kind }) => kind !== 'events');
    const atRest = step.t - (changes.at(-1)?.t ?? 0) > restSeconds;
    await reach(cluster, namespace, atRest ? before : changes);
    // Who may delete a Pod is the API server's matter.
    if (!/^(kubectl|POST)/.test(step.action) || step.action.includes(' --as ')) continue;
    const rename = (old: string): string => {
      const checkpoint = /^(box-\d-)[a-z0-9]{8}$/.exec(old)?.[1];
      if (checkpoint !== undefined) return nameOf(cluster.seen(namespace), 'checkpoints', checkpoint);
      if (!/^web-[a-z0-9]{5}$/.test(old)) return old;
      const known = names.get(old) ?? counterpart(old, before, cluster.seen(namespace), new Set(names.values()));
      names.set(old, known);
      return known;
    };
    await perform(cluster, namespace, recording, step, rename);
  }
  await reach(cluster, namespace, recorded);
  const result = () => ({ recorded, seen: sortByVersion([...cluster.seen(namespace)]) });
  // Events are written beside the changes that they tell of.
  for (const deadline = Date.now() + eventsMs; Date.now() < deadline && differences(result()).length > 0; )
    await sleep(200);
  return result();
}

/** Differences in the sequences of states and in the events; empty when the run was as recorded. */
export function differences({ recorded, seen }: Replayed): string[] {
  const result: string[] = [];
  const [a, b] = [histories(recorded), histories(seen)];
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const [left, right] = [a, b].map((map) => (map.get(key) ?? []).map((states) => states.join('\n    ')).sort());
    const missing = subtract(left ?? [], right ?? []);
    const extra = subtract(right ?? [], left ?? []);
    for (const one of missing) result.push(`${key}: recorded\n    ${one}`);
    for (const one of extra) result.push(`${key}: seen\n    ${one}`);
  }
  const [c, d] = [eventTexts(recorded, aboutOurs), eventTexts(seen, aboutOurs)];
  for (const key of new Set([...c.keys(), ...d.keys()])) {
    const [left, right] = [[...(c.get(key) ?? [])], [...(d.get(key) ?? [])]];
    for (const one of subtract(left, right)) result.push(`event on ${key} recorded: ${one}`);
    for (const one of subtract(right, left)) result.push(`event on ${key} seen: ${one}`);
  }
  return result;
}

const aboutOurs = (kind: string): boolean => kind !== 'Pod';

function subtract(from: string[], what: string[]): string[] {
  const rest = [...what];
  return from.filter((one) => {
    const at = rest.indexOf(one);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

/** Waits until every object has come as far as it had then; goes on after a while, the comparison will tell. */
async function reach(cluster: TestCluster, namespace: string, then: Seen[]): Promise<void> {
  const goal = progress(then);
  const told = eventTexts(then, aboutOurs);
  const reached = (events: Seen[]) => {
    const now = progress(events);
    const tellings = eventTexts(events, aboutOurs);
    return (
      [...goal].every(([key, lengths]) => lengths.every((length, i) => (now.get(key)?.[i] ?? 0) >= length)) &&
      [...told].every(([key, texts]) => [...texts].every((text) => tellings.get(key)?.has(text)))
    );
  };
  let looked = -1;
  for (const deadline = Date.now() + waitMs; Date.now() < deadline; await sleep(pollMs)) {
    const seen = cluster.seen(namespace);
    if (seen.length === looked) continue;
    looked = seen.length;
    if (reached(sortByVersion([...seen]))) return;
  }
}

/**
 * How many states each object has gone through, longest first. Members of a pool that is not at rest are left out: they come and
 * go.
 */
function progress(events: Seen[]): Map<string, number[]> {
  const result = new Map<string, number[]>();
  const lives = histories(events);
  const busy = !isAtRest(events);
  for (const [key, list] of lives) {
    const kept = list.filter((states) => {
      if (!key.endsWith(' web-*') || states.some((state) => state.includes('|claimed|'))) return true;
      return key === 'sandboxes web-*' && !busy && states.at(-1) !== 'gone';
    });
    result.set(
      key,
      kept.map((states) => states.length).sort((a, b) => b - a),
    );
  }
  return result;
}

/** Every pool has as many available members as it wants. */
function isAtRest(events: Seen[]): boolean {
  const last = new Map<string, string | undefined>();
  for (const event of events) if (event.kind === 'sandboxsets') last.set(event.object.metadata.uid, observable(event));
  return [...last.values()].every((state) => state === 'gone' || state?.startsWith('rest'));
}

/** A sandbox of this run that looks like that one did: claimed or not, in the same state. */
function counterpart(old: string, recorded: Seen[], seen: Seen[], used: Set<string>): string {
  const look = (event: Seen) =>
    `${sandboxSchema.parse(event.object).metadata.labels?.[label.claimed]} ${observable(event)}`;
  const lastOf = (events: Seen[]) => {
    const last = new Map<string, Seen>();
    for (const event of events) if (event.kind === 'sandboxes') last.set(event.object.metadata.name, event);
    return last;
  };
  const wanted = lastOf(recorded).get(old);
  if (wanted === undefined) throw new Error(`${old} was not there yet`);
  for (const [name, event] of lastOf(seen)) if (!used.has(name) && look(event) === look(wanted)) return name;
  throw new Error(`no sandbox looks like ${old}: ${look(wanted)}`);
}

function nameOf(seen: Seen[], kind: string, prefix: string): string {
  const found = seen.find((event) => event.kind === kind && event.object.metadata.name.startsWith(prefix));
  if (found === undefined) throw new Error(`no ${kind} named ${prefix}* yet`);
  return found.object.metadata.name;
}
