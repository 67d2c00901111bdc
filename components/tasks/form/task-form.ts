import { z } from 'zod';
import { type Task, type TaskDraft, taskFileName, taskLimits, taskRequest } from '@/lib/contracts/tasks';
import { samples } from '@/lib/domain/tasks/samples';
import { parseWhole } from '../../ui';

export type PoolName = { ns: string; name: string };
/** `base64`: it is here. `task`: it is stored with an earlier task. Neither: only its name outlived a reload. */
export type FormFile = { name: string; bytes: number; base64?: string; task?: string };
/** `value` absent: it is to be typed again, as values are never sent back or kept. */
export type FormVariable = { name: string; value?: string };

const text = z.string().catch('');

/** What is kept of the form in this browser: names of files and variables, without what they hold. */
export const keptForm = z.object({
  pool: z.object({ ns: z.string(), name: z.string() }).optional().catch(undefined),
  code: text,
  files: z.array(z.object({ name: z.string(), bytes: z.number() })).catch([]),
  env: z.array(z.object({ name: z.string() })).catch([]),
  limit: z.string().catch('60'),
  after: z.enum(['release', 'keep', 'keepOnFailure']).catch('release'),
  minutes: z.string().catch('30'),
  onNoStock: z.enum(['create', 'fail']).catch('create'),
});
export type TaskForm = Omit<z.infer<typeof keptForm>, 'files' | 'env'> & { files: FormFile[]; env: FormVariable[] };

export const utf8 = (value: string) => new TextEncoder().encode(value);

/** A sample takes nothing over from what was in the form but the pool. */
export function sampleForm(name: keyof typeof samples): Omit<TaskForm, 'pool'> {
  const { code, files } = samples[name];
  return {
    code,
    // Samples are plain ASCII.
    files: files.map(({ name: file, text: held }) => ({ name: file, bytes: held.length, base64: btoa(held) })),
    env: [],
    limit: '60',
    after: 'release',
    minutes: '30',
    onNoStock: 'create',
  };
}

export const newForm = (): TaskForm => sampleForm('hello');

/** The form that ran this task; values of variables are missing in it. */
export function formOf({ id, pool, request }: Task, in_: Partial<TaskForm> = {}): TaskForm {
  const { afterwards, files, env } = request;
  return {
    pool,
    code: request.code,
    files: files.map((file) => ({ ...file, task: id })),
    env: env.map((name) => ({ name })),
    limit: String(request.timeLimitSeconds),
    after: afterwards.do,
    minutes: afterwards.do === 'release' ? '30' : String(afterwards.minutes),
    onNoStock: request.onNoStock,
    ...in_,
  };
}

export type FormFault = { field: 'pool' | 'code' | 'files' | 'env' | 'limit' | 'minutes'; name?: string } & (
  | { code: 'noPool' | 'noCode' | 'codeBytes' | 'tooManyFiles' | 'fileBytes' | 'tooManyVariables' | 'variableBytes' }
  | { code: 'limit' | 'minutes' }
  | { code: 'fileGone' | 'fileName' | 'fileTwice' | 'variableName' | 'variableTwice'; name: string }
);

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What the server would not take, found before it is asked; and else the request. */
export function requestOf(form: TaskForm): { faults: FormFault[]; request?: TaskDraft } {
  const faults = faultsOf(form);
  const seconds = parseWhole(form.limit, 1, taskLimits.seconds);
  const minutes = parseWhole(form.minutes, 1, taskLimits.keepMinutes);
  if (faults.length > 0 || !form.pool || seconds === undefined) return { faults };
  const stored = form.files.filter(({ task }) => task !== undefined);
  const task = stored[0]?.task;
  const request: TaskDraft = {
    pool: form.pool,
    code: form.code,
    files: form.files.flatMap(({ name, base64 }) => (base64 === undefined ? [] : [{ name, base64 }])),
    env: Object.fromEntries(form.env.filter(isNamed).map(({ name, value = '' }) => [name, value])),
    timeLimitSeconds: seconds,
    afterwards: form.after === 'release' ? { do: 'release' } : { do: form.after, minutes: minutes ?? 1 },
    ...(task === undefined ? {} : { reuse: { task, files: stored.map(({ name }) => name) } }),
    onNoStock: form.onNoStock,
  };
  return taskRequest.safeParse(request).success
    ? { faults, request }
    : { faults: [{ field: 'code', code: 'codeBytes' }] };
}

const isNamed = ({ name, value }: FormVariable) => name !== '' || (value ?? '') !== '';
const twice = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) !== at);

function faultsOf({ pool, code, files, env, limit, after, minutes }: TaskForm): FormFault[] {
  const faults: FormFault[] = [];
  if (!pool) faults.push({ field: 'pool', code: 'noPool' });
  if (code.trim() === '') faults.push({ field: 'code', code: 'noCode' });
  if (utf8(code).length > taskLimits.codeBytes) faults.push({ field: 'code', code: 'codeBytes' });
  if (parseWhole(limit, 1, taskLimits.seconds) === undefined) faults.push({ field: 'limit', code: 'limit' });
  if (after !== 'release' && parseWhole(minutes, 1, taskLimits.keepMinutes) === undefined) {
    faults.push({ field: 'minutes', code: 'minutes' });
  }
  for (const { name, base64, task } of files) {
    if (base64 === undefined && task === undefined) faults.push({ field: 'files', code: 'fileGone', name });
    if (!taskFileName.test(name) || name.length > 128 || name === 'task.py') {
      faults.push({ field: 'files', code: 'fileName', name });
    }
  }
  for (const name of twice(files.map((file) => file.name))) faults.push({ field: 'files', code: 'fileTwice', name });
  if (files.length > taskLimits.files) faults.push({ field: 'files', code: 'tooManyFiles' });
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > taskLimits.fileBytes) {
    faults.push({ field: 'files', code: 'fileBytes' });
  }
  const named = env.filter(isNamed);
  for (const { name } of named) {
    if (!variableName.test(name) || name.length > 128) faults.push({ field: 'env', code: 'variableName', name });
  }
  for (const name of twice(named.map((each) => each.name))) faults.push({ field: 'env', code: 'variableTwice', name });
  if (named.length > taskLimits.variables) faults.push({ field: 'env', code: 'tooManyVariables' });
  const held = JSON.stringify(Object.fromEntries(named.map(({ name, value = '' }) => [name, value])));
  if (utf8(held).length > taskLimits.variableBytes) faults.push({ field: 'env', code: 'variableBytes' });
  return faults;
}
