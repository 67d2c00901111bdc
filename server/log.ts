import 'server-only';
import pino, { type DestinationStream, type Logger } from 'pino';
import { readEnvironment } from './env';
import { once } from './once';

const hidden = '•••';
/** Keys whose values are never written, wherever they stand in a log line. */
const secretKey =
  /^(authorization|cookie|set-cookie|password|token|accesstoken|apikey|x-api-key|env|envvars|.*\/(runtime-access-token|envd-access-token|init-runtime-request|csi-volume-config|last-applied-configuration))$/i;

function masked(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack };
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.map((v) => masked(v, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, v]) => [key, secretKey.test(key) ? hidden : masked(v, depth - 1)]),
  );
}

/**
 * JSON lines with a stable `key` to search by. Secrets are masked by name at any depth; values of environment variables
 * do not belong into a line at all (log their names).
 */
export function makeLog(destination?: DestinationStream): Logger {
  const options = {
    level: readEnvironment().CONSOLE_LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (line: Record<string, unknown>) => masked(line, 8) as Record<string, unknown>,
    },
  };
  return destination ? pino({ ...options, level: 'debug' }, destination) : pino(options);
}

export const log: Logger = once('log', () => makeLog());
