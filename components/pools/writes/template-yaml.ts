import { type Alias, type Document, LineCounter, parseDocument, stringify, visit, type YAMLError } from 'yaml';
import { z } from 'zod';
import { isObject } from '@/lib/domain/json-diff';
import type { Template } from '@/lib/domain/templates';

export const yamlCodes = [
  'duplicateKey',
  'tab',
  'indent',
  'missingChar',
  'keyLine',
  'quote',
  'escape',
  'alias',
  'cycle',
  'documents',
  'syntax',
  'missing',
  'type',
  'empty',
  'field',
] as const;
/** What is wrong with the text, and the words of it that say where: a key, a field, what was expected there. */
export type YamlProblem = {
  line?: number;
  code: (typeof yamlCodes)[number];
  values: { field: string; expected: string; got: string };
};
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

export function templateText(template: unknown): string {
  return stringify(template, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** The template a text stands for, or what is wrong with it, with the line where that stands. */
export function parseTemplate(text: string): ParsedTemplate {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) return { problems: document.errors.map((e) => syntaxProblem(e, text, counter)) };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 50 });
    // An alias may stand within what it names; then there is no end to it, and no JSON.
    JSON.stringify(value);
  } catch (error) {
    return { problems: [aliasProblem(document, counter, error instanceof TypeError ? 'cycle' : 'alias')] };
  }
  const checked = podTemplate.safeParse(value);
  // As it was written: what zod gives back has its keys in the order of the schema.
  if (checked.success && isObject(value)) return { template: value };
  return { problems: (checked.error?.issues ?? []).map((issue) => shapeProblem(issue, value, document, counter)) };
}

const none = { field: '', expected: '', got: '' };

const syntaxCodes: Partial<Record<YAMLError['code'], YamlProblem['code']>> = {
  DUPLICATE_KEY: 'duplicateKey',
  TAB_AS_INDENT: 'tab',
  BAD_INDENT: 'indent',
  BLOCK_AS_IMPLICIT_KEY: 'indent',
  BLOCK_IN_FLOW: 'indent',
  MISSING_CHAR: 'missingChar',
  MULTILINE_IMPLICIT_KEY: 'keyLine',
  BAD_SCALAR_START: 'quote',
  BAD_DQ_ESCAPE: 'escape',
  BAD_ALIAS: 'alias',
  MULTIPLE_DOCS: 'documents',
};

function syntaxProblem(error: YAMLError, text: string, counter: LineCounter): YamlProblem {
  const [at] = error.pos;
  const code = syntaxCodes[error.code] ?? 'syntax';
  const key = /^["']?([^:"'\n]*)/.exec(text.slice(at))?.[1]?.trim() ?? '';
  return { line: counter.linePos(at).line, code, values: { ...none, field: key, got: error.code } };
}

/** Blames the first alias that names nothing, else the first one. */
function aliasProblem(document: Document, counter: LineCounter, code: 'alias' | 'cycle'): YamlProblem {
  const aliases: Alias[] = [];
  visit(document, { Alias: (_key, node) => void aliases.push(node) });
  const found = aliases.find((alias) => alias.resolve(document) === undefined) ?? aliases[0];
  const values = { ...none, field: found?.source ?? '' };
  return found?.range ? { line: counter.linePos(found.range[0]).line, code, values } : { code, values };
}

function shapeProblem(issue: z.core.$ZodIssue, value: unknown, document: Document, counter: LineCounter): YamlProblem {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? '' : part));
  const got = path.reduce<unknown>(
    (at, key) => (Array.isArray(at) || isObject(at) ? Reflect.get(at, key) : undefined),
    value,
  );
  const values = {
    field: path.join('.') || 'template',
    expected: issue.code === 'invalid_type' ? issue.expected : '',
    got: got === null ? 'null' : Array.isArray(got) ? 'array' : typeof got,
  };
  const codes: Partial<Record<z.core.$ZodIssue['code'], YamlProblem['code']>> = {
    invalid_type: got === undefined ? 'missing' : 'type',
    too_small: 'empty',
  };
  const line = lineAt(path, document, counter);
  const problem = { code: codes[issue.code] ?? 'field', values };
  return line === undefined ? problem : { line, ...problem };
}

/** Where a field stands, or the nearest thing around it that is there. */
function lineAt(path: readonly (string | number)[], document: Document, counter: LineCounter): number | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const node: unknown = document.getIn(path.slice(0, depth), true);
    if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) continue;
    return counter.linePos(Number(node.range[0])).line;
  }
  return undefined;
}
