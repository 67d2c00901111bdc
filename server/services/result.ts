import 'server-only';
import { createTranslator } from 'next-intl';
import {
  type Problem,
  type ProblemCode,
  type RefusalReason,
  type RefusalValues,
  statusOf,
} from '@/lib/contracts/problem';
import { messagesOf } from '@/lib/i18n/messages';

/** A problem before the wrapper has put the request's id on it. */
export type Failure = Omit<Problem, 'requestId'>;

/** What services answer: refusals are values, only faults of the program are thrown. */
export type Result<T> = { ok: true; value: T } | { ok: false; problem: Failure };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

/** The sentences of the console's own refusals, as scripts and logs read them. */
const english: (reason: RefusalReason, values: Record<string, string | number>) => string = createTranslator({
  locale: 'en',
  messages: messagesOf('en').common,
  namespace: 'refusal',
});

/** What the console says of a field, for `fields[].message`. */
export const englishField = createTranslator({
  locale: 'en',
  messages: messagesOf('en').common,
  namespace: 'refusedField',
});

/** A refusal of our own; of the API server's, `toProblem` in server/kube makes one. */
export function refuse<R extends RefusalReason>(
  code: ProblemCode,
  reason: R,
  values: RefusalValues<R>,
  more: Partial<Omit<Failure, 'code' | 'reason' | 'values'>> = {},
): { ok: false; problem: Failure } {
  const message = english(reason, values);
  return { ok: false, problem: { code, status: statusOf[code], message, reason, values, ...more } };
}
