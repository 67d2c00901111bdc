import { z } from 'zod';
import { objectSchema } from '../../controllers/client/objects';
import type { Neutral } from './neutral';
import type { Seen } from './recording';

/** One time that something was told about an object by an Event: a new one, or a higher count of an old one. */
export interface Telling {
  line: string;
  /**
   * `each`: every telling stands for something that happened. `times`: how often counts, but not between which others. `passes`: it
   * is told at every look, as long as it lasts.
   */
  counted: 'each' | 'times' | 'passes';
}

/**
 * How many looks more or fewer than recorded are chance: they depend on what else was written to the object in between. Recorded
 * twins differ by that much: the hook of update-post-upgrade-hook-fails fails 5 times on box-1 and 3 times on box-2.
 */
const passesApart = (recorded: number): number => Math.max(2, Math.floor(recorded / 3));

const eventSchema = objectSchema.extend({
  involvedObject: z.looseObject({ kind: z.string(), name: z.string(), uid: z.string() }),
  type: z.string(),
  reason: z.string(),
  message: z.string(),
  count: z.number().nullish(),
  source: z.looseObject({ component: z.string().optional() }).optional(),
  reportingComponent: z.string().optional(),
});

const phaseChange = /(phase changed from .*): total=.*/;

/** Reads the Events of one cluster in the order in which they were written. */
export class Tellings {
  private readonly counts = new Map<string, number>();
  private readonly changes = new Set<string>();

  constructor(private readonly neutral: Pick<Neutral, 'text'>) {}

  /**
   * What an Event newly tells, how often, of which object and in whose sequence: each component that writes about an object has an
   * order of its own. Undefined when it tells nothing new.
   */
  read({ object, type }: Seen): { key: string; object: string; name: string; tellings: Telling[] } | undefined {
    if (type === 'DELETED') return undefined;
    const event = eventSchema.parse(object);
    const { involvedObject: about, reason, message } = event;
    const count = event.count ?? 1;
    const times = count - (this.counts.get(event.metadata.uid) ?? 0);
    this.counts.set(event.metadata.uid, count);
    if (times <= 0 || this.isRepeatedChange(about.uid, message)) return undefined;
    const line = `${event.type} ${reason}: ${this.neutral.text(message)}`;
    const counted = event.type === 'Warning' ? 'passes' : about.kind === 'SandboxSet' ? 'times' : 'each';
    return {
      key: `${pluralOf(about.kind)} ${about.uid}`,
      object: `${pluralOf(about.kind)} ${this.neutral.text(about.name)}`,
      name: `events ${event.source?.component || (event.reportingComponent ?? '')}`,
      tellings: Array.from({ length: times }, () => ({ line, counted })),
    };
  }

  /** A second look at an old copy tells of the same change of an operation's phase again, with the numbers of that moment. */
  private isRepeatedChange(uid: string, message: string): boolean {
    const change = phaseChange.exec(message)?.[1];
    if (change === undefined) return false;
    const key = `${uid} ${change}`;
    if (this.changes.has(key)) return true;
    this.changes.add(key);
    return false;
  }
}

const pluralOf = (kind: string): string =>
  `${kind.toLowerCase()}${kind.endsWith('x') ? 'es' : kind === 'SandboxUpdateOps' ? '' : 's'}`;

/** What was told, in order; what is told by passes or by members only where it came up first. */
export function comparedTellings(tellings: Telling[]): string[] {
  const known = new Set<string>();
  return tellings.flatMap(({ line, counted }) => {
    if (counted !== 'each' && known.has(line)) return [];
    known.add(line);
    return [line];
  });
}

/** Lines that were told too often or too seldom, each with how often. */
export function timesApart(recorded: Telling[], seen: Telling[]): { recorded: string[]; seen: string[] } {
  const [a, b] = [timesOf(recorded), timesOf(seen)];
  const apart = [...a].filter(([line, { times, counted }]) => {
    const other = b.get(line)?.times ?? 0;
    return counted === 'times' ? times !== other : counted === 'passes' && Math.abs(times - other) > passesApart(times);
  });
  return {
    recorded: apart.map(([line, { times }]) => `${times} × ${line}`),
    seen: apart.map(([line]) => `${b.get(line)?.times ?? 0} × ${line}`),
  };
}

function timesOf(tellings: Telling[]): Map<string, { times: number; counted: Telling['counted'] }> {
  const result = new Map<string, { times: number; counted: Telling['counted'] }>();
  for (const { line, counted } of tellings) result.set(line, { counted, times: (result.get(line)?.times ?? 0) + 1 });
  return result;
}
