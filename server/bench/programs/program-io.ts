import type { z } from 'zod';

/** The argument of this program. */
export function argumentOf<T>(schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(process.argv[2] ?? 'null'));
}

export function say(value: 'ready' | object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Aborted when the bench asks this program to end. */
export function untilFinished(): AbortSignal {
  const end = new AbortController();
  process.once('SIGTERM', () => end.abort());
  return end.signal;
}

export function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
