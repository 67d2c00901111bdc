import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { z } from 'zod';

/** A file that is no recording, or a damaged one; the message says in one line where and why. */
export class UnusableFile extends Error {}

/** One line of a file that holds a JSON value in each. */
export interface JsonLine {
  value: unknown;
  /** `claims.jsonl, line 3`. */
  where: string;
}

/** @throws UnusableFile when it cannot be read, is empty, or a line of it is not JSON. */
export function readJsonLines(file: string): JsonLine[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UnusableFile(error instanceof Error ? error.message : String(error));
  }
  const lines = text.split('\n').map((line, i) => ({ line, where: `${basename(file)}, line ${i + 1}` }));
  const values = lines
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, where }) => {
      try {
        return { value: JSON.parse(line) as unknown, where };
      } catch {
        throw new UnusableFile(`${where}: this is not JSON`);
      }
    });
  if (values.length === 0) throw new UnusableFile(`${basename(file)} is empty`);
  return values;
}

/** @throws UnusableFile naming the first thing that is wrong with the line; `what` is what it should have been. */
export function parseLine<T>({ value, where }: JsonLine, schema: z.ZodType<T>, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw new UnusableFile(`${where}: no ${what}: ${at}${issue?.message}`);
}
