import { z } from 'zod';
import { namespaceName, objectName } from '../names';

const count = z.number().int();

/** What is taken and kept at most. */
export const taskLimits = {
  codeBytes: 256 * 1024,
  files: 10,
  /** Of all uploaded files together. */
  fileBytes: 5 * 1024 * 1024,
  variables: 50,
  variableBytes: 32 * 1024,
  seconds: 3_600,
  keepMinutes: 24 * 60,
  /** Of both streams together: a command that prints more is stopped. */
  outputBytes: 16 * 1024 * 1024,
  /** Results that are fetched: so many, each so large. Others are named only. */
  results: 20,
  resultBytes: 5 * 1024 * 1024,
} as const;

/** One part of a path: no folders, nothing hidden, no characters that nobody sees. */
export const taskFileName = /^[^.\s/\\\p{C}][^/\\\p{C}]*$/u;
const fileName = z
  .string()
  .max(128)
  .regex(taskFileName, { error: 'Give a file name without folders.' })
  .refine((name) => name !== 'task.py', { error: 'task.py is the code itself.' });

const variableName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'Give a name of letters, digits and _.' });

const utf8Bytes = (value: string) => new TextEncoder().encode(value).length;
/** Bytes that base64 stands for. */
const decodedBytes = (base64: string) => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);

export const taskFiles = z
  .array(z.object({ name: fileName, base64: z.base64() }))
  .max(taskLimits.files)
  .refine((files) => new Set(files.map(({ name }) => name)).size === files.length, {
    error: 'Two files have the same name.',
  })
  .refine((files) => files.reduce((sum, { base64 }) => sum + decodedBytes(base64), 0) <= taskLimits.fileBytes, {
    error: `More than ${taskLimits.fileBytes} bytes together.`,
  });

/** What happens to the sandbox afterwards. `keepOnFailure` gives it back after a task that went well. */
export const afterwards = z.discriminatedUnion('do', [
  z.object({ do: z.literal('release') }),
  z.object({ do: z.literal('keep'), minutes: count.min(1).max(taskLimits.keepMinutes) }),
  z.object({ do: z.literal('keepOnFailure'), minutes: count.min(1).max(taskLimits.keepMinutes) }),
]);
export type Afterwards = z.infer<typeof afterwards>;

/** `POST /api/v1/tasks`. */
export const taskRequest = z.object({
  /** The SandboxSet to claim from; its name is the template of the E2B API. */
  pool: z.object({ ns: namespaceName, name: objectName }),
  code: z
    .string()
    .refine((code) => code.trim() !== '', { error: 'Write some Python first.' })
    .refine((code) => utf8Bytes(code) <= taskLimits.codeBytes, { error: `More than ${taskLimits.codeBytes} bytes.` }),
  files: taskFiles.default([]),
  env: z
    .record(variableName, z.string())
    .refine((env) => Object.keys(env).length <= taskLimits.variables, {
      error: `More than ${taskLimits.variables} variables.`,
    })
    .refine((env) => utf8Bytes(JSON.stringify(env)) <= taskLimits.variableBytes, {
      error: `More than ${taskLimits.variableBytes} bytes together.`,
    })
    .default({}),
  /** Of the command; the claim and the files have their own. */
  timeLimitSeconds: count.min(1).max(taskLimits.seconds),
  afterwards: afterwards.default({ do: 'release' }),
  /** Files of an earlier task of the same person, by name: they need not be sent again. */
  reuse: z.object({ task: z.string().max(64), files: z.array(fileName).max(taskLimits.files) }).optional(),
  /** Metadata `create-on-no-stock`: with `fail`, an empty pool is an error and not a cold start. */
  onNoStock: z.enum(['create', 'fail']).default('create'),
});
export type TaskRequest = z.infer<typeof taskRequest>;
/** Before the defaults. */
export type TaskDraft = z.input<typeof taskRequest>;
