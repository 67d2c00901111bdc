import { useMessages } from 'next-intl';
import { z } from 'zod';

const parameter = z.object({ label: z.string(), hint: z.string().optional() });
const words = z.looseObject({
  practice: z.looseObject({
    items: z.record(z.string(), z.object({ title: z.string(), does: z.string() })),
    groups: z.record(z.string(), z.string()),
    parameters: z.record(z.string(), parameter),
  }),
});

/** The page's words for what the cluster describes in English. What they do not know stays as it came. */
export function usePracticeWords() {
  const { items, groups, parameters } = words.parse(useMessages()).practice;
  return {
    of: <T extends { name: string; title: string; does: string }>(item: T): T => ({ ...item, ...items[item.name] }),
    group: ({ group, groupTitle }: { group: string; groupTitle: string }) => groups[group] ?? groupTitle,
    /** A parameter means the same in most faults; where it does not, it has words with the fault's name before it. */
    parameter: (fault: string, name: string, description?: string): z.infer<typeof parameter> =>
      parameters[`${fault}/${name}`] ?? parameters[name] ?? { label: name, hint: description },
  };
}

export type PracticeWords = ReturnType<typeof usePracticeWords>;
