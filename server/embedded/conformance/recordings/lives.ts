import { sandboxSetSchema } from '../../controllers/client/objects';
import { type Counts, countsOf } from './counts';
import { changes, factsOf } from './facts';
import { Neutral } from './neutral';
import type { Seen } from './recording';
import type { Sequence } from './sequences';
import { type Telling, Tellings } from './tellings';

/** Everything that happened to one object, by the name of the sequence. */
export interface Life {
  /** `sandboxes box-1`, `sandboxes web-*`. */
  object: string;
  /** `life`, of a Pod `status`, of a sandbox `observed`: each line is one fact that came or went. */
  facts: Map<string, Sequence<string>>;
  /** `counts`: the numbers of a status. */
  counts: Map<string, Sequence<Counts>>;
  /** `events sandbox`, by the component that wrote them. */
  tellings: Map<string, Sequence<Telling>>;
}

/** Every object's life, in the order in which the objects came. `events` in the order of their versions. */
export function livesOf(events: Seen[], namespace: string, webhooks = true): Life[] {
  const neutral = new Neutral(events, namespace);
  const tellings = new Tellings(neutral);
  const lives = new Map<string, Life>();
  const facts = new Map<string, Map<string, string>>();
  const revisions = new Map<string, string | undefined>();
  const life = (key: string, object: string): Life => {
    const known = lives.get(key) ?? { object, facts: new Map(), counts: new Map(), tellings: new Map() };
    lives.set(key, known);
    return known;
  };
  for (const seen of events) {
    const { kind, object, t } = seen;
    if (kind === 'events') {
      const told = tellings.read(seen);
      if (told !== undefined) append(life(told.key, told.object).tellings, told.name, told.tellings, t);
      continue;
    }
    const { uid, name } = object.metadata;
    const own = life(`${kind} ${uid}`, `${kind} ${neutral.text(name)}`);
    const now = factsOf(seen, neutral, webhooks);
    const changed = changes(facts.get(uid) ?? new Map(), now);
    facts.set(uid, now);
    const lines = new Map<string, string[]>();
    for (const line of changed) {
      const name = sequenceOf(kind, line);
      lines.set(name, [...(lines.get(name) ?? []), line]);
    }
    for (const [name, values] of lines) append(own.facts, name, values, t);
    if (seen.type === 'DELETED') continue;
    const counts = countsOf(seen, revisions.get(uid));
    if (kind === 'sandboxsets') revisions.set(uid, sandboxSetSchema.parse(object).status?.updateRevision);
    if (counts !== undefined) append(own.counts, 'counts', [counts], t);
  }
  return [...lives.values()];
}

const nodeFacts = /^(bound|address|phase|condition|container)\b/;

/**
 * Several write onto one object, each in an order of its own: a node beside whoever deletes or labels its Pod, and whoever edits a
 * sandbox beside the controller that observes it (recorded: paused-sandboxes-with-statefilter 17.152 observes one edit late).
 */
function sequenceOf(kind: string, line: string): string {
  if (kind === 'pods' && nodeFacts.test(line)) return 'status';
  return line.startsWith('observed ') ? 'observed' : 'life';
}

function append<T>(sequences: Map<string, Sequence<T>>, name: string, values: T[], t: number): void {
  const known = sequences.get(name) ?? { values: [], at: [] };
  sequences.set(name, known);
  known.values.push(...values);
  known.at.push(...values.map(() => t));
}
