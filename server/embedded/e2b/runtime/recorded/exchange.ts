import path from 'node:path';
import { z } from 'zod';
import { parseLine, readJsonLines } from '../../../conformance/json-lines';

const headers = z.record(z.string(), z.string());
const frameSchema = z.object({ dt: z.number(), flags: z.number(), json: z.unknown() });
const exchangeSchema = z.object({
  /** Milliseconds since the recording began: its start, and the end of its answer. */
  t: z.number(),
  until: z.number(),
  method: z.string(),
  path: z.string(),
  headers,
  token: z.enum(['right', 'other', 'none']),
  /** The one message of a stream, or any other body. */
  message: z.unknown().optional(),
  body: z.unknown().optional(),
  base64: z.string().optional(),
  status: z.number(),
  answerHeaders: headers,
  frames: z.array(frameSchema).optional(),
  /** Output that is too long to be kept; its frames are left out. */
  bytes: z.number().optional(),
  answer: z.unknown().optional(),
  answerBase64: z.string().optional(),
  ended: z.string().optional(),
});
export type Exchange = z.infer<typeof exchangeSchema>;
export type Frame = z.infer<typeof frameSchema>;

/** What envd 0.2.10 was asked and answered, in order. */
export function readExchanges(name: string): Exchange[] {
  const [, ...lines] = readJsonLines(path.join(import.meta.dirname, `${name}.jsonl`));
  return lines.map((line) => parseLine(line, exchangeSchema, 'exchange'));
}
