import 'server-only';
import { z } from 'zod';

const entry = z.looseObject({
  manager: z.string(),
  time: z.string().optional(),
  subresource: z.string().optional(),
  fieldsV1: z.record(z.string(), z.unknown()).optional(),
});

function owns(fields: unknown, path: readonly string[]): boolean {
  const [head, ...rest] = path;
  if (head === undefined) return true;
  if (typeof fields !== 'object' || fields === null) return false;
  return owns((fields as Record<string, unknown>)[`f:${head}`], rest);
}

export type Writer = { manager: string; at: string };

/**
 * Who wrote a field last, from `metadata.managedFields`: the manager's own name, such as `kubectl`.
 * @returns for a sentence: `kubectl` at `2026-11-30T10:00:00Z`, `none` for what the object does not say
 */
export function writerOf(managedFields: readonly unknown[] | undefined, path: readonly string[]): Writer {
  const owners = (managedFields ?? [])
    .map((m) => entry.safeParse(m))
    .flatMap((m) => (m.success && owns(m.data.fieldsV1, path) ? [m.data] : []))
    .sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));
  const last = owners[0];
  return { manager: last?.manager ?? 'none', at: last?.time ?? 'none' };
}
