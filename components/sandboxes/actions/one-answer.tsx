'use client';

import { useState } from 'react';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxChange } from '@/lib/contracts/sandbox-writes';
import { readSandbox } from '@/lib/domain/object-readings';
import { WriteError } from '../../writes/api';
import { ProblemNote } from '../../writes/problem-note';
import { ActionResult } from './action-result';
import type { Acting } from './use-acting';

/** Of one sandbox: why the dry run would not have it, or what became of it. */
export function OneAnswer(props: {
  change: SandboxChange | undefined;
  first: SandboxRow;
  /** As it is now; undefined when it is gone. */
  row: SandboxRow | undefined;
  reply: ObjectReply | undefined;
  acting: Acting;
}) {
  const { change, first, reply, acting } = props;
  const { outcomes, dryRun, sentAt } = acting;
  const [podBefore, setPodBefore] = useState<string>();
  // A paused one has none; its status still names the last (domain 1.2).
  const podNow = reply && (reply.pod?.metadata.uid ?? readSandbox(reply.object).podUid);
  // Followed until it is sent: from then on another one is the new one.
  if (outcomes === undefined && !acting.sending && podNow !== podBefore) setPodBefore(podNow);
  const outcome = outcomes?.get(first.uid);
  if (outcome && change) {
    return <ActionResult {...{ change, outcome, sentAt, first, row: props.row, reply, podBefore }} />;
  }
  const problem = dryRun?.predicted?.[0]?.problem;
  if (!problem || acting.error) return null;
  return (
    <ProblemNote
      about="sandbox"
      asked="dryRun"
      error={new WriteError({ ...problem, requestId: '' })}
      onAsk={dryRun.goOn}
    />
  );
}
