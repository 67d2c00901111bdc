import type { SandboxRow } from '@/lib/contracts/rows';
import type { PodReading, SandboxReading } from './object-readings';
import { visibleText } from './text';

/**
 * What the cluster says of a sandbox in full. A row carries the first 200 characters: a text it had to cut is found
 * again in the object or the Pod that it is from. While those are not read, or say something else by now, it stays cut.
 */
export function wholeEvidence(
  { cause, message }: Pick<SandboxRow, 'cause' | 'message'>,
  sandbox: SandboxReading | undefined,
  pod: PodReading | undefined,
): string | undefined {
  const said = cause?.detail ?? message;
  if (!said?.endsWith('…')) return said;
  const start = said.slice(0, -1);
  const sources = [
    sandbox?.message,
    sandbox?.finalizers.join(', '),
    ...[...(sandbox?.conditions ?? []), ...(pod?.conditions ?? [])].map((condition) => condition.message),
    // As diagnose.ts puts a waiting container.
    ...(pod?.containers ?? []).map(({ name, reason, message }) => `${name}: ${reason} - ${message}`),
  ];
  return sources.find((text) => text && visibleText(text.trim(), 'mark').startsWith(start)) ?? said;
}
