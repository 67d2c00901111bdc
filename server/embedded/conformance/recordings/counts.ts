import { sandboxClaimSchema, sandboxSetSchema, sandboxUpdateOpsSchema } from '../../controllers/client/objects';
import { resolveIntOrPercent } from '../../controllers/rules/quantities';
import { movesIn } from './moves';
import type { Seen } from './recording';
import { withoutSetbacks, withoutStale } from './stale-counts';

/** The numbers of one status, as one write left them. */
export interface Counts {
  /** The generation that they were counted for: each change of a spec begins a new story. */
  story: string;
  /** What else the status says of itself: the phase, the newest generation. Nothing of it is passed over. */
  of: string;
  /** In the order of the status; a number that is absent is -1, as one that may be a step old is `undefined`. */
  numbers: Record<string, number | undefined>;
  /** The next step waits for single members, so that one look at two of them or two looks make another sequence. */
  oneByOne: boolean;
  /** A pool that is being scaled keeps the updated counters of its copy. */
  keeps: boolean;
  /** Whose they are: tells what a move is. */
  kind: 'sandboxsets' | 'sandboxupdateops' | 'sandboxclaims';
}

const absent = -1;
const number = (value: number | undefined): number => value ?? absent;

/** Undefined for other kinds, and while there is no status. `revision` is the pool's at the write before. */
export function countsOf({ kind, object }: Seen, revision?: string): Counts | undefined {
  const { generation } = object.metadata;
  if (kind === 'sandboxsets') {
    const { spec, status } = sandboxSetSchema.parse(object);
    if (status?.replicas === undefined) return undefined;
    const { observedGeneration, replicas, availableReplicas, updatedReplicas, updatedAvailableReplicas } = status;
    return {
      kind,
      story: String(observedGeneration),
      of: `generation ${observedGeneration} of ${generation}`,
      numbers: {
        replicas: number(replicas),
        available: number(availableReplicas),
        updated: number(updatedReplicas),
        updatedAvailable: number(updatedAvailableReplicas),
      },
      oneByOne:
        spec.scaleStrategy?.maxUnavailable !== undefined ||
        (revision !== undefined && revision !== status.updateRevision),
      keeps: replicas !== spec.replicas,
    };
  }
  if (kind === 'sandboxupdateops') {
    const { spec, status } = sandboxUpdateOpsSchema.parse(object);
    if (status?.phase === undefined) return undefined;
    const { phase, observedGeneration, replicas, updatedReplicas, updatingReplicas, failedReplicas } = status;
    return {
      kind,
      story: String(observedGeneration),
      of: `${phase}, generation ${observedGeneration} of ${generation}`,
      numbers: {
        replicas: number(replicas),
        updated: number(updatedReplicas),
        updating: number(updatingReplicas),
        failed: number(failedReplicas),
      },
      oneByOne: (resolveIntOrPercent(spec.updateStrategy?.maxUnavailable, replicas ?? 0) ?? 1) > 1,
      keeps: false,
    };
  }
  if (kind !== 'sandboxclaims') return undefined;
  const { status } = sandboxClaimSchema.parse(object);
  if (status?.phase === undefined) return undefined;
  return {
    kind,
    story: String(status.observedGeneration),
    of: `${status.phase}, generation ${status.observedGeneration} of ${generation}`,
    numbers: { claimed: number(status.claimedReplicas) },
    oneByOne: false,
    keeps: false,
  };
}

/**
 * How the numbers of one object are compared: every status in its order, all its numbers together, except that steps in the same
 * direction are one, because how many members one look saw moving is chance. Where the next step waits for single members (a
 * rolling update, growth under scaleStrategy.maxUnavailable, an update of several at a time) that chance decides the steps, too:
 * there the story is summed up.
 */
export function comparedCounts(all: Counts[]): string[] {
  const states = withoutStale(withoutSetbacks(all));
  return storiesOf(states).flatMap((story) => (story.some(({ oneByOne }) => oneByOne) ? summary(story) : legs(story)));
}

function storiesOf(states: Counts[]): Counts[][] {
  const stories: Counts[][] = [];
  for (const state of states) {
    const last = stories.at(-1);
    if (last?.[0]?.story === state.story) last.push(state);
    else stories.push([state]);
  }
  return stories;
}

const told = (value: number | undefined): string =>
  value === undefined ? 'kept' : value === absent ? 'absent' : String(value);

const text = ({ of, numbers }: Counts): string =>
  `${of}: ${Object.entries(numbers)
    .map(([name, value]) => `${name} ${told(value)}`)
    .join(', ')}`;

/** Every status but those that lie between two steps in the same direction. */
function legs(story: Counts[]): string[] {
  const distinct = story.filter((state, i) => i === 0 || text(state) !== text(story[i - 1] ?? state));
  return distinct.filter((state, i) => !isBetween(distinct[i - 1], state, distinct[i + 1])).map(text);
}

function isBetween(before: Counts | undefined, state: Counts, after: Counts | undefined): boolean {
  if (before === undefined || after === undefined || before.of !== state.of || state.of !== after.of) return false;
  return direction(before, state) === direction(state, after);
}

const direction = (from: Counts, to: Counts): string =>
  Object.entries(to.numbers)
    .map(([name, value]) => {
      const old = from.numbers[name];
      if (value === undefined || old === undefined) return value === old ? '=' : 'kept';
      return String(Math.sign(value - old));
    })
    .join(' ');

/**
 * The way through phases and generations, the first and the last status, and how many members made each move; for a pool also how
 * low it fell and how high it rose.
 */
function summary(story: Counts[]): string[] {
  const [first, last] = [story[0], story.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ways = story.map(({ of }) => of).filter((of, i, all) => of !== all[i - 1]);
  const range = (name: string): number[] => story.map(({ numbers }) => numbers[name] ?? absent);
  const bounds = [
    `lowest available ${Math.min(...range('available'))}`,
    `highest replicas ${Math.max(...range('replicas'))}`,
  ];
  return [
    ...ways,
    `first ${text(first)}`,
    ...(first.kind === 'sandboxsets' ? bounds : []),
    ...movesIn(story),
    `last ${text(last)}`,
  ];
}
