import 'server-only';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Problem } from '@/lib/contracts/problem';
import type { RecentAction } from '@/lib/contracts/writes';
import { log } from '../log';
import { once } from '../once';

/** A write as it was asked for. `before`, `after` and `summary` hold no secret: names of variables, not values. */
export type Intent = {
  action: RecentAction['action'];
  actor: string;
  object: { kind: string; namespace: string; name: string; uid: string };
  before: unknown;
  after: unknown;
  summary: string;
  /** Why, in the person's words. */
  reason?: string;
  requestId: string;
};

export type Outcome = {
  result: RecentAction['result'];
  message?: string;
  code?: string;
  /** Where the message is the console's own. Apart, as `reason` is the person's. */
  refusal?: Pick<Problem, 'reason' | 'values'>;
  resourceVersion?: string;
};

const keep = 200;

export type Audit = {
  /** Writes the first line, before anything is sent, and gives the id that the receipt carries. */
  intend(intent: Intent): string;
  /** Writes the second line, and puts the action into the list of recent ones. */
  conclude(id: string, intent: Intent, outcome: Outcome): void;
  /** Newest first, at most 200, of this process. */
  recent(): readonly RecentAction[];
};

/** Every write leaves two lines, `audit.intent` and `audit.outcome`, with the same fields; refused ones too. */
export function makeAudit(logger: Logger, now: () => number = Date.now): Audit {
  let actions: RecentAction[] = [];
  return {
    intend(intent) {
      const id = `r-${randomBytes(5).toString('hex')}`;
      logger.info({ key: 'audit.intent', id, ...intent });
      return id;
    },
    conclude(id, intent, outcome) {
      const level = outcome.result === 'refused' || outcome.result === 'unknown' ? 'warn' : 'info';
      logger[level]({ key: 'audit.outcome', id, ...intent, ...outcome });
      const { kind, namespace, name } = intent.object;
      const { action, actor, summary } = intent;
      const done: RecentAction = {
        id,
        at: now(),
        actor,
        action,
        object: { kind, namespace, name },
        summary,
        result: outcome.result,
        ...(outcome.message === undefined ? {} : { message: outcome.message }),
        ...outcome.refusal,
      };
      actions = [done, ...actions].slice(0, keep);
    },
    recent: () => actions,
  };
}

/** The one of this process. */
export const audit = (): Audit => once('history.audit', () => makeAudit(log));
