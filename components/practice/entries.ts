import type {
  ActiveFault,
  ParameterValues,
  PracticeFault,
  PracticeReply,
  PracticeRequest,
  PracticeScenario,
} from '@/lib/contracts/practice';
import { saidOf } from './parameters';
import type { PracticeWords } from './words';

type Shared = Pick<PracticeFault, 'name' | 'title' | 'does' | 'group' | 'groupTitle'> & { key: string };

/** A scenario or a fault, as one list shows both. */
export type Entry = Shared &
  (
    | { kind: 'scenario'; scenario: PracticeScenario }
    | { kind: 'fault'; fault: PracticeFault; active: ActiveFault | undefined }
  );

/** Something that runs. */
export interface Running {
  key: string;
  title: string;
  /** Absent while it starts or ends: then `phase` says so. */
  end: PracticeRequest | undefined;
  since: number | undefined;
  until: number | undefined;
  phase: PracticeScenario['phase'] | undefined;
  message: string | undefined;
  /** The scenario that it belongs to. */
  by: string | undefined;
  /** What was said when it was started, other than what stands for it. */
  said: { label: string; value: ParameterValues[string] }[];
}

/** All that can be started, in the words of the page. */
export function entriesOf({ scenarios, faults, active }: PracticeReply, words: PracticeWords): Entry[] {
  return [
    ...scenarios.map(
      (one): Entry => ({ ...words.of(one), kind: 'scenario', key: `scenario ${one.name}`, scenario: one }),
    ),
    ...faults
      .filter(({ possible }) => possible)
      .map((one): Entry => {
        const mine = active.find(({ name, by }) => name === one.name && by === undefined);
        return { ...words.of(one), kind: 'fault', key: `fault ${one.name}`, fault: one, active: mine };
      }),
  ];
}

export const isRunning = ({ phase }: PracticeScenario): boolean => phase !== 'off';

/** What runs now, the newest first. A fault of a scenario ends with it. */
export function runningOf({ scenarios, faults, active }: PracticeReply, words: PracticeWords): Running[] {
  const titleOf = (name: string, all: readonly Pick<Shared, 'name' | 'title' | 'does'>[]) => {
    const known = all.find((one) => one.name === name);
    return known === undefined ? name : words.of(known).title;
  };
  const running = [
    ...scenarios.filter(isRunning).map(
      ({ name, since, phase, message }): Running => ({
        key: `scenario ${name}`,
        title: titleOf(name, scenarios),
        end: phase === 'ending' ? undefined : { do: 'endScenario', name },
        since,
        until: undefined,
        phase,
        message,
        by: undefined,
        said: [],
      }),
    ),
    ...active.map(
      ({ id, name, params, since, until, by }): Running => ({
        key: `fault ${id}`,
        title: titleOf(name, faults),
        end: by === undefined ? { do: 'endFault', id } : undefined,
        since,
        until,
        phase: undefined,
        message: undefined,
        by: by === undefined ? undefined : titleOf(by, scenarios),
        said: saidOf(
          faults.find((one) => one.name === name),
          params,
        ).map((one) => ({ label: words.parameter(name, one.name).label, value: one.value })),
      }),
    ),
  ];
  return running.sort((a, b) => (b.since ?? 0) - (a.since ?? 0));
}

/** Those whose words hold every word of the text. */
export function matching(entries: Entry[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ title, does, name }) => {
    const haystack = `${title} ${does} ${name}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

/** In the order in which the cluster names its groups. */
export function grouped(entries: Entry[]): Entry[][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups.values()];
}
