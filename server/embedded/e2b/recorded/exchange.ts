import path from 'node:path';
import { z } from 'zod';
import { parseLine, readJsonLines, UnusableFile } from '../../conformance/json-lines';

const headers = z.record(z.string(), z.string());
const exchangeSchema = z.object({
  t: z.number(),
  to: z.enum(['manager', 'gateway']),
  method: z.string(),
  path: z.string(),
  headers,
  body: z.unknown().optional(),
  status: z.number(),
  answerHeaders: headers,
  answer: z.unknown().optional(),
  ended: z.string().optional(),
});
export type Exchange = z.infer<typeof exchangeSchema>;
const stepSchema = z.union([exchangeSchema, z.object({ t: z.number(), note: z.string() })]);
const headSchema = z.object({ what: z.string(), date: z.iso.datetime() });

/** What the real manager and gateway said, in order; a `note` is something that was done to the cluster meanwhile. */
export function readExchanges(name: string) {
  const [first, ...lines] = readJsonLines(path.join(import.meta.dirname, `${name}.jsonl`));
  if (first === undefined) throw new UnusableFile(`${name} is empty`);
  const head = parseLine(first, headSchema, 'head of a recording');
  return {
    startMs: Date.parse(head.date),
    steps: lines.map((line) => parseLine(line, stepSchema, 'exchange')),
  };
}
