'use client';

import { useMemo, useState } from 'react';
import { Button, Command, CopyButton, Spinner } from '@/components/ui';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxChange, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import { kubectlOfSandboxChange } from '@/lib/domain/kubectl';
import { readSandbox } from '@/lib/domain/object-readings';
import { useTranslations } from '@/lib/i18n/use-translations';
import { WriteError } from '../../writes/api';
import { DryRunLine } from '../../writes/dry-run-line';
import { ProblemNote } from '../../writes/problem-note';
import { ActionResult } from './action-result';
import { isObserved } from './observed';
import { ActionOutcomes } from './outcomes';
import { type Acting, askedAtMost } from './use-acting';

/** What the server said beforehand, what became of it, and the lines that do the same in a terminal. */
export function ActionAnswers(props: {
  change: SandboxChange | undefined;
  rows: readonly SandboxRow[];
  items: readonly SandboxTarget[];
  live: ReadonlyMap<string, SandboxRow>;
  reply: ObjectReply | undefined;
  acting: Acting;
  onGoOn: () => void;
}) {
  const { rows, items, live, reply, acting } = props;
  const change = acting.sent ?? props.change;
  const t = useTranslations('sandboxes.actions');
  const tw = useTranslations('writes');
  const [podBefore, setPodBefore] = useState<string>();
  const { outcomes, predicted, sentAt } = acting;
  // A paused one has none; its status still names the last (domain 1.2).
  const podNow = reply && (reply.pod?.metadata.uid ?? readSandbox(reply.object).podUid);
  // Followed until it is sent: from then on another one is the new one.
  if (outcomes === undefined && !acting.sending && podNow !== podBefore) setPodBefore(podNow);
  const [first] = rows;
  const one = rows.length === 1;
  const outcome = first && outcomes?.get(first.uid);
  const told = first && predicted?.find(({ uid }) => uid === first.uid);
  const skipped = [...(outcomes?.values() ?? [])].filter(({ result }) => result === 'skipped').length;
  return (
    <>
      {one && first && outcome && change ? (
        <ActionResult
          change={change}
          outcome={outcome}
          sentAt={sentAt}
          first={first}
          row={live.get(first.uid)}
          reply={reply}
          podBefore={podBefore}
        />
      ) : null}
      {one && told?.problem && !outcome && !acting.error ? (
        <ProblemNote
          about="sandbox"
          asked="dryRun"
          error={new WriteError({ ...told.problem, requestId: '' })}
          onAsk={() => void acting.dryRun?.refetch()}
        />
      ) : null}
      {one ? null : (
        <>
          {outcomes && change ? <Progress change={change} acting={acting} rows={rows} live={live} /> : null}
          {outcomes === undefined && rows.length > askedAtMost ? (
            <p className="sm mut">{t('outcome.dryFirst', { count: askedAtMost })}</p>
          ) : null}
          {acting.asking ? (
            <p role="status" className="row sm mut">
              <Spinner />
              {tw('scale.drySending')}
            </p>
          ) : null}
          <ActionOutcomes
            items={items}
            outcomes={outcomes ?? (predicted && new Map(predicted.map((each) => [each.uid, each])))}
            dry={outcomes === undefined}
            rowOf={(uid) => live.get(uid)}
          />
          {skipped > 0 && !acting.sending ? (
            <Button onClick={props.onGoOn}>{t('goOn', { count: skipped })}</Button>
          ) : null}
        </>
      )}
      <Lines change={change} rows={rows} acting={acting} />
      {one && !outcome && !told?.problem ? (
        <DryRunLine answer={told?.podReceipt ?? told?.receipt} asking={acting.asking} />
      ) : null}
    </>
  );
}

/** Counts of a bulk: how many are answered, and of how many the watch shows it. */
function Progress(props: {
  change: SandboxChange;
  acting: Acting;
  rows: readonly SandboxRow[];
  live: ReadonlyMap<string, SandboxRow>;
}) {
  const { change, acting, rows, live } = props;
  const t = useTranslations('sandboxes.actions');
  const outcomes = [...(acting.outcomes?.values() ?? [])];
  const accepted = outcomes.filter(({ result }) => result === 'accepted');
  const observed = accepted.filter(({ uid, receipt }) => isObserved(change, receipt, live.get(uid))).length;
  // Which Pod is new is read of one sandbox alone.
  const follows = change.action !== 'deletePod';
  return (
    <p role="status" className="row">
      {acting.sending || (follows && observed < accepted.length) ? <Spinner /> : null}
      <span>
        {t('progress', { answered: outcomes.length, total: rows.length, accepted: accepted.length })}
        {follows ? ` ${t('progressSeen', { observed })}` : null}
      </span>
    </p>
  );
}

function Lines(props: { change: SandboxChange | undefined; rows: readonly SandboxRow[]; acting: Acting }) {
  const { change, rows, acting } = props;
  const t = useTranslations('sandboxes.actions');
  const tw = useTranslations('writes');
  const { outcomes, predicted } = acting;
  const lines = useMemo(() => {
    const told = new Map(predicted?.map((each) => [each.uid, each]));
    return rows.flatMap((row) => {
      const { receipt, podReceipt } = outcomes?.get(row.uid) ?? told.get(row.uid) ?? {};
      const exact = [receipt?.kubectl, podReceipt?.kubectl].filter((line) => line !== undefined);
      return exact.length > 0 ? exact : change ? kubectlOfSandboxChange(row, change) : [];
    });
  }, [rows, outcomes, predicted, change]);
  if (lines.length === 0) return null;
  const few = rows.length === 1 ? lines : lines.slice(0, 1);
  return (
    <>
      <Command label={tw('scale.sameAs')} text={few.join('\n')} />
      {rows.length > 1 ? (
        <div>
          <CopyButton text={lines.join('\n')} label={t('copyLines', { count: lines.length })}>
            {t('copyLines', { count: lines.length })}
          </CopyButton>
        </div>
      ) : null}
    </>
  );
}
