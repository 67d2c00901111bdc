import type { z } from 'zod';
import { jsonProblem, jsonType, parseJson } from '../../apiserver/wire/json-problem';

/** A body that Go's decoder does not take; the message is the decoder's. */
export class DecodeError extends Error {}

/**
 * Reads a body as Go reads it into a struct of package models: null is nothing, and what does not fit is told in Go's words.
 * @param schema of the struct; a strict one refuses unknown fields
 * @param struct its name
 */
export function decodeBody<T>(text: string, schema: z.ZodType<T>, struct: string): T {
  const raw = parse(text);
  const given =
    jsonType(raw) === 'object' ? Object.fromEntries(Object.entries(raw as object).filter(([, v]) => v !== null)) : raw;
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DecodeError(issue === undefined ? 'json: cannot unmarshal' : problemOf(issue, given, struct));
}

function parse(text: string): unknown {
  if (text.trim() === '') throw new DecodeError('EOF');
  try {
    return parseJson(text);
  } catch (error) {
    const at = Number(/position (\d+)/.exec(String(error))?.[1]);
    const cut = at >= text.trimEnd().length || /end of JSON input|Unterminated string/.test(String(error));
    throw new DecodeError(cut ? 'unexpected EOF' : jsonProblem(text));
  }
}

const goTypes: Record<string, string> = {
  string: 'string',
  int: 'int',
  number: 'int',
  boolean: 'bool',
  record: 'map[string]string',
  array: '[]string',
};

function problemOf(issue: z.core.$ZodIssue, raw: unknown, struct: string): string {
  if (issue.code === 'unrecognized_keys') return `json: unknown field "${issue.keys[0]}"`;
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], raw);
  const found = `${jsonType(value)}${issue.code === 'invalid_type' && issue.expected === 'int' && typeof value === 'number' ? ` ${value}` : ''}`;
  if (issue.path.length === 0) return `json: cannot unmarshal ${found} into Go value of type models.${struct}`;
  const expected = issue.code === 'invalid_type' ? (goTypes[issue.expected] ?? 'struct') : 'struct';
  // Of a map, Go names the field alone.
  const inMap = issue.path.length === 2 && typeof issue.path[1] === 'string';
  const field = inMap ? String(issue.path[0]) : issue.path.filter((part) => typeof part === 'string').join('.');
  return `json: cannot unmarshal ${found} into Go struct field ${struct}.${field} of type ${expected}`;
}
