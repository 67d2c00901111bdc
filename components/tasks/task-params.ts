import { parseAsString, parseAsStringLiteral } from 'nuqs';
import { taskStates } from '@/lib/contracts/tasks';

/** The page in its address: the task that is shown, which is its permanent link, and the filters of the history. */
export const taskParams = {
  task: parseAsString,
  /** The pool that a new task is to be run in, `namespace/name`; gone when the form has taken it. */
  start: parseAsString,
  state: parseAsStringLiteral(['active', ...taskStates] as const),
  /** `namespace/name`. */
  pool: parseAsString,
  origin: parseAsStringLiteral(['warm', 'cold'] as const),
  q: parseAsString.withDefault(''),
};
