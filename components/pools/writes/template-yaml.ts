import { z } from 'zod';
import { isObject } from '@/lib/domain/json-diff';
import type { Template } from '@/lib/domain/templates';
import { type ReadYaml, readYaml, type YamlFaultCode, yamlText } from '@/lib/domain/yaml-text';

/** What is wrong with the text, and the words of it that say where: a key, a field, what was expected there. */
export type YamlProblem = {
  line?: number;
  code: YamlFaultCode | 'missing' | 'type' | 'empty' | 'field';
  values: { field: string; expected: string; got: string };
};
export type ParsedTemplate = { template: Template } | { problems: YamlProblem[] };

type PlaceOf = Extract<ReadYaml, { value: unknown }>['placeOf'];

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

export const templateText = (template: unknown): string => yamlText(template);

/** The template a text stands for, or what is wrong with it, with the line where that stands. */
export function parseTemplate(text: string): ParsedTemplate {
  const read = readYaml(text);
  if ('faults' in read) {
    return {
      problems: read.faults.map(({ line, code, field, got }) => ({
        ...(line === undefined ? {} : { line }),
        code,
        values: { field, expected: '', got },
      })),
    };
  }
  const { value, placeOf } = read;
  const checked = podTemplate.safeParse(value);
  // As it was written: what zod gives back has its keys in the order of the schema.
  if (checked.success && isObject(value)) return { template: value };
  return { problems: (checked.error?.issues ?? []).map((issue) => shapeProblem(issue, value, placeOf)) };
}

function shapeProblem(issue: z.core.$ZodIssue, value: unknown, placeOf: PlaceOf): YamlProblem {
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
  const line = placeOf(path)?.line;
  const problem = { code: codes[issue.code] ?? 'field', values };
  return line === undefined ? problem : { line, ...problem };
}
