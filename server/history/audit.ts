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
  /** Writes the second line, and puts the action into the list of recent ones: those of one request that came off alike as one. */
  conclude(id: string, intent: Intent, outcome: Outcome): void;
  /** Ends the doubt about writes whose answer was lost: those that `seen` finds in the cluster happened. */
  settle(seen: (intent: Intent) => boolean): void;
  /** Newest first, at most 200, of this process. */
  recent(): readonly RecentAction[];
};

/** What the cluster shows later than this may be anybody's doing. */
const doubtMs = 60_000;

const observed = ({ message: _lost, reason: _code, values: _values, ...action }: RecentAction): RecentAction => ({
  ...action,
  result: 'observed',
});

/** Every write leaves two lines, `audit.intent` and `audit.outcome`, with the same fields; refused ones too. A third,
 * `audit.observed`, follows where the answer was lost and the cluster showed the change. */
export function makeAudit(logger: Logger, now: () => number = Date.now): Audit {
  let entries: { action: RecentAction; of: string }[] = [];
  const open = new Map<string, { intent: Intent; until: number }>();
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
      const of = JSON.stringify([intent.requestId, action, kind, namespace, outcome.result, outcome.refusal?.reason]);
      // Of what is in doubt, each is told by itself what became of it.
      const alike = outcome.result === 'unknown' ? undefined : entries.find((each) => each.of === of);
      if (alike && alike.action.object.name !== name) {
        alike.action = { ...alike.action, others: (alike.action.others ?? 0) + 1 };
      } else entries = [{ action: done, of }, ...entries].slice(0, keep);
      if (outcome.result === 'unknown') open.set(id, { intent, until: now() + doubtMs });
    },
    settle(seen) {
      for (const [id, { intent, until }] of open) {
        const late = now() > until;
        if (!late && !seen(intent)) continue;
        open.delete(id);
        if (late) continue;
        logger.info({ key: 'audit.observed', id, ...intent });
        const entry = entries.find(({ action }) => action.id === id);
        if (entry) entry.action = observed(entry.action);
      }
    },
    recent: () => entries.map(({ action }) => action),
  };
}

/** The one of this process. */
export const audit = (): Audit => once('history.audit', () => makeAudit(log));
