import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs';
import { splitNames } from '@/lib/domain/cohorts';
import { sandboxParams } from '../sandboxes/search-params';

/**
 * Past a limit and not put off; in time in a state that has a limit; past a limit and somebody is on it; past a limit
 * and put off.
 */
export const stuckViews = ['overdue', 'progress', 'acknowledged', 'snoozed'] as const;
export type StuckView = (typeof stuckViews)[number];

const { state, cause, pool, node, namespace } = sandboxParams;

/** The triage page in the URL. Without a view it is the first one that has rows. */
export const stuckParams = {
  view: parseAsStringLiteral(stuckViews),
  q: parseAsString.withDefault(''),
  state,
  cause,
  pool,
  node,
  namespace,
  /** What cohorts are told apart by, beyond state, cause and pool. */
  by: parseAsArrayOf(parseAsStringLiteral(splitNames)).withDefault([]),
  /** Key of the chosen cohort. */
  cohort: parseAsString.withDefault(''),
  /** `namespace/name` of the sandbox that is explained. */
  peek: parseAsString.withDefault(''),
};
