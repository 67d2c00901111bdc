import { parseAsString, parseAsStringLiteral } from 'nuqs';
import { sandboxParams } from '../sandboxes/search-params';

/** Past the breach line, past the warn line, or in time in a state that has a limit. */
export const stuckViews = ['overdue', 'warn', 'progress'] as const;
export type StuckView = (typeof stuckViews)[number];

const { state, cause, pool, node, namespace } = sandboxParams;

/** The triage list in the URL. Without a view it is the first one that has rows. */
export const stuckParams = {
  view: parseAsStringLiteral(stuckViews),
  q: parseAsString.withDefault(''),
  state,
  cause,
  pool,
  node,
  namespace,
  /** `namespace/name` of the sandbox that is read. */
  peek: parseAsString.withDefault(''),
};
