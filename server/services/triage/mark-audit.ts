import 'server-only';
import type { Mark, MarkScope, SetMarkRequest } from '@/lib/contracts/triage';
import type { Intent } from '../../history/audit';
import { type Failure, refuse } from '../result';
import type { TriageContext } from './triage-context';

type Said = Pick<SetMarkRequest, 'kind' | 'until' | 'note'>;

/** What the audit says of a mark: what it is on, who says what, and the note as the reason. */
export function markIntent(
  { principal, requestId, sandbox }: TriageContext,
  action: 'acknowledge' | 'snooze' | 'releaseMark',
  scope: MarkScope,
  { before, after }: { before?: Mark; after?: Said },
): Intent {
  const { ns, uid, pool, ...parts } = scope;
  const row = uid === undefined ? undefined : sandbox(uid);
  // What is in another namespace is perhaps not to be seen, by its name neither.
  const name = row?.ns === ns ? row.name : uid;
  const object =
    uid === undefined
      ? { kind: 'Cohort', namespace: ns, name: pool || ns, uid: '' }
      : { kind: 'Sandbox', namespace: ns, name: name ?? uid, uid };
  const note = (after ?? before)?.note;
  return {
    action,
    actor: principal.subject,
    object,
    before: before ? said(before) : null,
    after: after ? said(after) : null,
    summary: [parts.state, parts.cause, parts.node, parts.revision, parts.image].filter(Boolean).join(' · '),
    ...(note === undefined ? {} : { reason: note }),
    requestId,
  };
}

const said = ({ kind, until }: Said) => ({
  kind,
  ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
});

/** Somebody was faster: nothing of theirs is overwritten, and the answer holds it. */
export function takenByOther(mark: Mark): { ok: false; problem: Failure } {
  const values = { by: mark.by, at: new Date(mark.at).toISOString(), said: mark.kind };
  return refuse('conflict', 'markChanged', values, { mark, applied: 'no' });
}
