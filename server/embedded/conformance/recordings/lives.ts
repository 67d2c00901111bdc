import { changes, countsOf, factsOf } from './facts';
import { Neutral } from './neutral';
import type { Seen } from './recording';

/** Values in the order in which they came up. */
export interface Sequence {
  values: string[];
  /** How many of them had come by the end of the recording: what follows may, but need not, have been recorded. */
  settled: number;
}

/** Everything that happened to one object, by the name of the sequence. */
export interface Life {
  /** `sandboxes box-1`, `sandboxes web-*`. */
  object: string;
  sequences: Map<string, Sequence>;
}

/** Every object's life, in the order in which the objects came. `events` in the order of their versions; `end` in seconds. */
export function livesOf(events: Seen[], namespace: string, end = Number.POSITIVE_INFINITY): Life[] {
  const neutral = new Neutral(events, namespace);
  const lives = new Map<string, Life>();
  const facts = new Map<string, Map<string, string>>();
  const highest = new Map<string, number>();
  const life = (key: string, object: string): Life => {
    const known = lives.get(key) ?? { object, sequences: new Map() };
    lives.set(key, known);
    return known;
  };
  for (const seen of events) {
    const { kind, object } = seen;
    const late = seen.t > end;
    if (kind === 'events') {
      const told = tellingOf(seen, neutral);
      if (told === undefined) continue;
      const own = life(told.key, told.object);
      if (!own.sequences.get(told.name)?.values.includes(told.line)) append(own, told.name, [told.line], late);
      continue;
    }
    const { uid, name } = object.metadata;
    const own = life(`${kind} ${uid}`, `${kind} ${neutral.text(name)}`);
    const now = factsOf(seen, neutral);
    const changed = changes(facts.get(uid) ?? new Map(), now);
    // A node writes beside whoever deletes or labels its Pod.
    const byNode = (line: string) => kind === 'pods' && nodeFacts.test(line);
    append(
      own,
      'life',
      changed.filter((line) => !byNode(line)),
      late,
    );
    if (changed.some(byNode)) append(own, 'status', changed.filter(byNode), late);
    facts.set(uid, now);
    if (seen.type !== 'DELETED' && !stepsBack(seen, highest))
      for (const [count, value] of countsOf(seen)) append(own, `count ${count}`, [String(value ?? 'absent')], late);
  }
  return [...lives.values()];
}

const nodeFacts = /^(bound|phase|condition|container)\b/;

/**
 * Taking upgradePolicy off lets a sandbox's generation lag for a moment: an operation that looks just then counts one updated less,
 * and one more the next time. Whether it looks then is chance.
 */
function stepsBack({ kind, object }: Seen, highest: Map<string, number>): boolean {
  if (kind !== 'sandboxupdateops') return false;
  const { uid } = object.metadata;
  const updated = (object as { status?: { updatedReplicas?: number } }).status?.updatedReplicas ?? 0;
  const before = highest.get(uid) ?? 0;
  highest.set(uid, Math.max(before, updated));
  return updated < before;
}

function append({ sequences }: Life, name: string, values: string[], late: boolean): void {
  const known = sequences.get(name) ?? { values: [], settled: 0 };
  sequences.set(name, known);
  known.values.push(...values);
  if (!late) known.settled = known.values.length;
}

// A second look at an old copy tells of the same change again, with the numbers of that moment.
const momentary = /(phase changed from .*), updated=\d+, updating=\d+/;

/** An Event belongs to the object it is about and to the component that wrote it: each of these writes in its own order. */
function tellingOf({ object, type }: Seen, neutral: Neutral) {
  if (type === 'DELETED') return undefined;
  const about = object.involvedObject as { kind: string; name: string; uid: string };
  const source = (object.source as { component?: string } | undefined)?.component;
  const message = neutral
    .text(String(object.message))
    .replace('(combined from similar events): ', '')
    .replace(momentary, '$1, updated=N, updating=N');
  return {
    key: `${pluralOf(about.kind)} ${about.uid}`,
    object: `${pluralOf(about.kind)} ${neutral.text(about.name)}`,
    name: `events ${source || String(object.reportingComponent ?? '')}`,
    line: `${object.type} ${object.reason}: ${message}`,
  };
}

const pluralOf = (kind: string): string =>
  `${kind.toLowerCase()}${kind.endsWith('x') ? 'es' : kind === 'SandboxUpdateOps' ? '' : 's'}`;
