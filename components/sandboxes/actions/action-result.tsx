'use client';

import { Note } from '@/components/ui';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxChange, SandboxOutcome } from '@/lib/contracts/sandbox-writes';
import { useTranslations } from '@/lib/i18n/use-translations';
import { WriteError } from '../../writes/api';
import { ProblemNote } from '../../writes/problem-note';
import { useObservation } from '../../writes/use-observation';
import { WriteReceipt } from '../../writes/write-receipt';
import { sandboxPath } from '../paths';
import { deletedPodOf, isObserved, useObservedText } from './observed';

/** What became of the action on one sandbox: refused and why, or accepted, and what was seen of it since. */
export function ActionResult(props: {
  change: SandboxChange;
  outcome: SandboxOutcome;
  sentAt: number;
  first: SandboxRow;
  /** As it is now; undefined when it is gone. */
  row: SandboxRow | undefined;
  reply: ObjectReply | undefined;
  /** The Pod that was there when it was sent. */
  podBefore: string | undefined;
}) {
  const { change, outcome, sentAt, first, row, reply, podBefore } = props;
  const t = useTranslations('sandboxes.actions');
  const say = useObservedText();
  const receipt = outcome.podReceipt ?? outcome.receipt;
  const pods = { before: deletedPodOf(outcome) ?? podBefore, now: reply?.pod?.metadata.uid };
  const observation = useObservation(receipt, sentAt, isObserved(change, receipt, row, pods));
  const happened = outcome.result === 'unknown' && !receipt && isObserved(change, undefined, row);
  return (
    <>
      {receipt ? (
        <WriteReceipt
          key={receipt.id}
          receipt={receipt}
          observation={observation}
          title={t(receipt.changed ? `done.${change.action}` : 'unchanged', { name: first.name })}
          observed={say(change, row, pods, receipt.id)}
          shown={shownOf(row)}
          {...(row ? { link: { href: sandboxPath(first), text: t('open') } } : {})}
        />
      ) : null}
      {outcome.problem && outcome.receipt?.changed ? (
        <Note tone="attention" title={t('outcome.templateOnly')} live />
      ) : null}
      {happened ? <Note tone="unknown" title={t('happened')} live /> : null}
      {outcome.problem && !happened ? (
        <ProblemNote about="sandbox" error={new WriteError({ ...outcome.problem, requestId: '' })} />
      ) : null}
    </>
  );
}

/** What the row shows of a change that was not seen. */
const shownOf = (row: SandboxRow | undefined) =>
  row ? [row.state, row.stage, row.cause?.code].filter((part) => part !== undefined).join(' · ') : '–';
