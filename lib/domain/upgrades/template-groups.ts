import type { TemplateGroup } from '@/lib/contracts/upgrade-preview';
import { type Template, type TemplateDifference, templateDiff } from '../templates';

interface Grouped {
  uid: string;
  name: string;
  template?: Template;
  after: Template;
}

/**
 * Sandboxes with equal templates, largest group first. The key of a group is the uid of its first sandbox. A claim writes
 * into labels and annotations who it is for and when (domain 7.1), so that hardly two are equal there: metadata counts only
 * by what changes of it, and that of the first sandbox stands for the others.
 */
export function templateGroups(sandboxes: readonly Grouped[]): {
  groups: TemplateGroup[];
  groupOf: Map<string, string>;
} {
  const groups = new Map<string, TemplateGroup>();
  const groupOf = new Map<string, string>();
  const textOf = stableTexts();
  for (const { uid, name, template = {}, after } of sandboxes) {
    const text = [textOf(template.spec), textOf(after.spec), stableText(metadataChange(template, after))].join('\n');
    const group = groups.get(text);
    if (group) group.count++;
    else groups.set(text, { key: uid, count: 1, sample: name, before: { ...template }, after: { ...after } });
    groupOf.set(uid, group?.key ?? uid);
  }
  return { groups: [...groups.values()].sort((a, b) => b.count - a.count), groupOf };
}

/** What becomes of the metadata of a template. */
export function metadataChange(before: Template, after: Template): TemplateDifference[] {
  if (before.metadata === after.metadata) return [];
  return templateDiff({ metadata: before.metadata ?? {} }, { metadata: after.metadata ?? {} });
}

/** JSON in which the order of keys does not matter, as it does not to the controller. */
export function stableText(value: unknown = null): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** {@link stableText}, which takes its time, once for all that are written alike. */
function stableTexts(): (value: unknown) => string {
  const known = new Map<string, string>();
  return (value) => {
    const written = JSON.stringify(value) ?? '';
    const text = known.get(written) ?? stableText(value);
    known.set(written, text);
    return text;
  };
}
