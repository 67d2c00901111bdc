import type { Severity } from '../../severity';
import { upgradeView } from '../../upgrades/view';
import type { Rule } from '../rule';
import type { Finding, Verdict } from '../verdict';
import { absent, verdictOf } from '../verdict-of';
import * as progress from './progress';
import type { OperationScene } from './rules';
import * as rules from './rules';

export type OperationInput = Omit<OperationScene, 'view'>;

export const operationRules: readonly Rule<OperationScene>[] = [
  rules.deletionWaits,
  rules.waits,
  rules.notTaken,
  rules.deadlocked,
  progress.patchFails,
  progress.neverEnds,
  rules.retryFailed,
  rules.failures,
  progress.quiet,
  progress.leftOut,
];

/** How long the controller is given to come to it before that is amber. */
const patienceMs = 10 * 60_000;

/** The verdict on a SandboxUpdateOps. `rows`: the sandboxes that carry its label. */
export function diagnoseOperation(input: OperationInput): Verdict {
  const { op, rows, operations, now } = input;
  const view = upgradeView(op, operations, rows, now);
  return verdictOf({
    subject: { kind: 'SandboxUpdateOps', ns: op.ns, name: op.name, uid: op.uid },
    state: op.deleting === undefined ? op.phase : 'Terminating',
    // What it was at does not matter any more.
    rules: op.deleting === undefined ? operationRules : [rules.deletionWaits, rules.deletionHeld],
    scene: { ...input, view },
    ...sinceOf(input),
    now,
    severityOf: (cause) => severityOf(cause, now - (op.deleting ?? op.created ?? now)),
    missing: absent({ Events: input.events, Sandboxes: input.sandboxes }),
    unknown: view.phase === 'Other' ? [{ path: 'SandboxUpdateOps status.phase', value: op.phase }] : [],
  });
}

/**
 * The phase has no time. Updating begins 0.05 s after the creation (recorded, 34 times), and goes on through every change of the
 * numbers; only an end is the last change.
 */
function sinceOf({ op }: OperationInput): { since?: { at: number; clock: Verdict['clock'] } } {
  if (op.deleting !== undefined) return { since: { at: op.deleting, clock: 'condition' } };
  const over = op.phase === 'Completed' || op.phase === 'Failed';
  if (!over && op.created !== undefined) return { since: { at: op.created, clock: 'created' } };
  if (op.changedAt !== undefined) return { since: { at: op.changedAt, clock: 'observed' } };
  return {};
}

function severityOf({ code, kind }: Finding, age: number): Severity {
  if (kind === 'wait') return age > patienceMs ? 'warn' : 'calm';
  return code === 'OperationNotTaken' || code === 'OperationQuiet' ? 'warn' : 'breach';
}
