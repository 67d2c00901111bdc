import { useMessages } from 'next-intl';
import { z } from 'zod';

const words = z.looseObject({
  practice: z.looseObject({
    items: z.record(z.string(), z.object({ title: z.string(), does: z.string() })),
    groups: z.record(z.string(), z.string()),
  }),
});

/** The page's words for what the cluster describes in English. What they do not know stays as it came. */
export function usePracticeWords() {
  const { items, groups } = words.parse(useMessages()).practice;
  return {
    of: <T extends { name: string; title: string; does: string }>(item: T): T => ({ ...item, ...items[item.name] }),
    group: ({ group, groupTitle }: { group: string; groupTitle: string }) => groups[group] ?? groupTitle,
  };
}
