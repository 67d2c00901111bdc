import { z } from 'zod';
import { task } from './task';

const text = z.string();
const count = z.number().int();

/** Printed text: whole characters, in the order of arrival; order between the two streams is not kept by the runtime. */
export const outputChunk = z.object({
  /** From 0, without gaps. */
  seq: count,
  /** ms since the run began. */
  at: z.number(),
  stream: z.enum(['out', 'err']),
  text,
});
export type OutputChunk = z.infer<typeof outputChunk>;

/**
 * `GET /api/v1/tasks/{id}/stream?after=SEQ`: server-sent events named after their `type`. First the task, then what was printed
 * after SEQ, then both as they come; `ended` is the last one. The page keeps the last 256 KiB it was sent of a long output, so
 * the server leaves out what lies before that: `skipped` says how many bytes.
 */
export const taskMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('task'), task }),
  z.object({ type: z.literal('output'), chunks: z.array(outputChunk), skipped: count.optional() }),
  z.object({ type: z.literal('ended') }),
]);
export type TaskMessage = z.infer<typeof taskMessage>;
/** Of what was printed, so much is sent to a page that opens a task. */
export const outputTailBytes = 256 * 1024;
