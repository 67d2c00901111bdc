import 'server-only';
import { isAbsolute } from 'node:path';
import { z } from 'zod';

const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);

const flag = text
  .pipe(z.enum(['1', 'true', '0', 'false'], { error: 'Set it to 1 or 0.' }).optional())
  .transform((value) => value === '1' || value === 'true');

const isOrigin = (given: string) => /^https?:/.test(given) && URL.canParse(given) && new URL(given).origin === given;

const isLoopback = (given: string) => /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\/?$/.test(given);

const origins = text
  .transform((value = '') => value.split(',').map((each) => each.trim().toLowerCase().replace(/\/$/, '')))
  .transform((all) => all.filter((each) => each !== ''))
  .refine((all) => all.every(isOrigin), {
    error: 'List origins without a path, separated by commas: https://console.example.com',
  });

const isHttp = (given: string) => /^https?:\/\/[^/]/.test(given) && URL.canParse(given);

const address = text.refine((value) => value === undefined || isHttp(value), {
  error: 'Give the URL of a server: http://HOST:PORT',
});

const isDatabase = (given: string) => /^postgres(ql)?:\/\/[^/]/.test(given) && URL.canParse(given);

function whole(of: string, least: number, most: number, otherwise: number) {
  const error = { error: `Give a whole number of ${of} from ${least} to ${most}.` };
  return text.pipe(
    z.coerce.number<string | undefined>(error).int(error).min(least, error).max(most, error).default(otherwise),
  );
}

const seconds = { error: 'Give a number of seconds from 1 to 3600.' };
const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/**
 * Every variable that the console's server reads; it reads none elsewhere. The messages say what to do.
 * Names, meaning and defaults are in README's configuration table.
 */
const environment = z.object({
  /** A kubeconfig file. Without it the console must run in a Pod. */
  CONSOLE_KUBECONFIG: text,
  /** A context of that file; its current one when absent. */
  CONSOLE_CONTEXT: text,
  /** The cluster is the simulator that ships with the console. */
  CONSOLE_EMBEDDED: flag,
  /** Where that simulator is made to fail, for practice; only looked at with CONSOLE_EMBEDDED. */
  CONSOLE_PRACTICE_URL: text.refine((value) => value === undefined || isLoopback(value), {
    error: 'Give an address on this machine: http://127.0.0.1:PORT',
  }),
  /** Origins that are this console's own, besides the host it is asked for. */
  CONSOLE_ORIGINS: origins,
  /** The name of the one person there is until sign-in exists. */
  CONSOLE_USER: text.default('operator'),
  /** Seconds without a byte on a watch before the kind is listed again. */
  CONSOLE_WATCH_SILENCE_SECONDS: text.pipe(
    z.coerce.number<string | undefined>(seconds).min(1, seconds).max(3600, seconds).default(90),
  ),
  /** The folder of the console's own database. Without it nothing is stored, and what needs it says so. */
  CONSOLE_DATA_DIR: text.refine((value) => value === undefined || isAbsolute(value), {
    error: 'Give the whole path, from /.',
  }),
  /** PostgreSQL in the place of that folder: what several replicas share. */
  CONSOLE_DATABASE_URL: text.refine((value) => value === undefined || isDatabase(value), {
    error: 'Give the URL of a PostgreSQL database: postgres://USER:PASSWORD@HOST:5432/DATABASE',
  }),
  /** What the console keeps of the past at most. */
  CONSOLE_HISTORY_DAYS: whole('days', 1, 3650, 14),
  CONSOLE_HISTORY_ROWS: whole('rows', 1_000, 5_000_000, 1_000_000),
  /** sandbox-manager, the gateway to the sandboxes, and the key: what tasks run through. */
  E2B_API_URL: address,
  E2B_SANDBOX_URL: address,
  E2B_API_KEY: text.refine((value) => value === undefined || value.length >= 8, {
    error: 'Give a key of the E2B-compatible API.',
  }),
  /** Tasks that run at once, of everybody and of one person. */
  CONSOLE_TASKS_AT_ONCE: whole('tasks', 1, 200, 8),
  CONSOLE_TASKS_PER_PERSON: whole('tasks', 1, 200, 4),
  CONSOLE_LOG_LEVEL: text.pipe(
    z.enum(levels, { error: `Choose from: ${levels.join(', ')}.` }).default(process.env.VITEST ? 'silent' : 'info'),
  ),
  /** The address that Next listens on. */
  HOSTNAME: text,
  KUBERNETES_SERVICE_HOST: text,
  KUBERNETES_SERVICE_PORT: text,
});
export type Environment = z.infer<typeof environment>;

/** What is said in place of a value that is not to be shown: the URL of a database holds a password. */
const secretVariables = new Map([
  ['CONSOLE_DATABASE_URL', 'no such URL'],
  ['E2B_API_KEY', 'no such key'],
]);

/** A variable is wrong; the message names it and says what to do. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** @throws {EnvironmentError} with a line for each variable that is wrong */
export function readEnvironment(source: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const parsed = environment.safeParse(source);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path: [name = ''], message }) => {
    const variable = String(name);
    const given = secretVariables.get(variable) ?? `"${source[variable]}"`;
    return `The variable ${variable} is ${given}. ${message}`;
  });
  throw new EnvironmentError(faults.join('\n'));
}

/** Ends the process when the environment is wrong. To be called before anything that reads it is loaded. */
export function requireEnvironment(): void {
  try {
    readEnvironment();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
