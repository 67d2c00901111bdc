import 'server-only';
import type { JsonPatchOp } from '@/lib/contracts/writes';
import { parseTime } from '@/lib/domain/time';
import { refuse } from '../result';

export type DeadlineField = 'shutdownTime' | 'pauseTime';

/** The operations that set or remove a deadline; [] when it already is so. */
export function deadlineOps(field: DeadlineField, now: string | null | undefined, to: string | null): JsonPatchOp[] {
  const path = `/spec/${field}`;
  const test: JsonPatchOp[] = typeof now === 'string' ? [{ op: 'test', path, value: now }] : [];
  if (to === null) return typeof now === 'string' ? [...test, { op: 'remove', path }] : [];
  return parseTime(now) === parseTime(to) ? [] : [...test, { op: 'add', path, value: to }];
}

/** The controller acts at once on what has passed: that is what deleting and pausing are for. */
export function notPassed(field: DeadlineField, to: string | null | undefined, now: number) {
  if (typeof to !== 'string' || Date.parse(to) > now) return undefined;
  return refuse('validation', 'deadlinePassed', { field: `spec.${field}`, at: to }, { applied: 'no' });
}
