import type { TemplateGroup } from '@/lib/contracts/upgrade-preview';
import { templateDiff } from '@/lib/domain/templates';

/** One change, of however many templates it is the same: claimed sandboxes carry their owner's labels in their templates. */
export type Change = TemplateGroup & {
  /** How many distinct templates change like this. */
  templates: number;
};

/** Groups whose templates change in the same fields from the same to the same; of most sandboxes first. */
export function changesOf(groups: readonly TemplateGroup[]): Change[] {
  const found = new Map<string, Change>();
  for (const group of groups) {
    const key = JSON.stringify(templateDiff(group.before, group.after));
    const same = found.get(key);
    if (same) {
      same.count += group.count;
      same.templates++;
    } else {
      found.set(key, { ...group, templates: 1 });
    }
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}
