import { LineCounter, parseDocument, stringify } from 'yaml';
import { z } from 'zod';
import type { Template } from '@/lib/domain/templates';

export type YamlProblem = { line?: number; message: string };
export type ParsedTemplate = { template: Template } | { problems: YamlProblem[] };

const container = z.looseObject({
  name: z.string().min(1),
  image: z.string().min(1),
  env: z.array(z.looseObject({ name: z.string().min(1), value: z.string().optional() })).optional(),
});

/** As much of a Pod template as has to hold for the forms; the API server's webhook checks the rest. */
const podTemplate = z.looseObject({
  metadata: z.looseObject({}).optional(),
  spec: z.looseObject({
    containers: z.array(container).min(1),
    initContainers: z.array(container).optional(),
  }),
});

export function templateText(template: Template): string {
  return stringify(template, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** The template a text stands for, or what is wrong with it, with the line where that stands. */
export function parseTemplate(text: string): ParsedTemplate {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) {
    return { problems: document.errors.map((e) => ({ line: counter.linePos(e.pos[0]).line, message: e.message })) };
  }
  const value: unknown = document.toJS({ maxAliasCount: 50 });
  const checked = podTemplate.safeParse(value);
  if (checked.success) return { template: checked.data };
  const lineAt = (path: readonly PropertyKey[]): number | undefined => {
    for (let depth = path.length; depth > 0; depth--) {
      const node: unknown = document.getIn(
        path.slice(0, depth).map((p) => (typeof p === 'symbol' ? '' : p)),
        true,
      );
      if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) continue;
      return counter.linePos(Number(node.range[0])).line;
    }
    return undefined;
  };
  return {
    problems: checked.error.issues.map((issue) => {
      const line = lineAt(issue.path);
      const message = `${issue.path.join('.') || 'template'}: ${issue.message}`;
      return line === undefined ? { message } : { line, message };
    }),
  };
}
