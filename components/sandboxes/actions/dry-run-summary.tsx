'use client';

import type { ReactNode } from 'react';
import { SafeText, useProblemText } from '@/components/common';
import { Button, Note, Spinner } from '@/components/ui';
import type { SandboxChange, SandboxOutcome, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import { visibleText } from '@/lib/domain/text';
import { useTranslations } from '@/lib/i18n/use-translations';
import type { DryRun } from './use-dry-run';

const b = (chunk: ReactNode) => <b className="b">{chunk}</b>;

/** Reasons that are told before the table. */
const told = 3;

/** Of a dry run that has asked about all: there is nothing to do any more. */
export const allAlready = ({ isWhole, predicted }: DryRun): boolean =>
  isWhole && (predicted?.every(({ result }) => result === 'unchanged') ?? false);

/** What the dry run of several says in all: how many would be accepted, and why the others would not. */
export function DryRunSummary(props: {
  dryRun: DryRun;
  change: SandboxChange;
  items: readonly SandboxTarget[];
  /** Nothing is sent after the first that fails. */
  stops: boolean;
}) {
  const { dryRun, change, items } = props;
  const { predicted = [], asking, stopped } = dryRun;
  const t = useTranslations('sandboxes.actions.ask');
  const tw = useTranslations('writes');
  const reasons = useReasons(predicted);
  const of = (wanted: SandboxOutcome['result']) => predicted.filter(({ result }) => result === wanted).length;
  if (allAlready(dryRun)) {
    return <Note tone="unknown" title={t('allAlready', { action: change.action, count: items.length })} live />;
  }
  const refused = of('refused');
  const counts = { accepted: of('accepted'), unchanged: of('unchanged'), unknown: of('unknown'), refused };
  const summary = t('summary', { ...counts, asked: predicted.length });
  const [only] = reasons;
  const listed = reasons.length > 1 ? reasons.slice(0, told) : [];
  return (
    <div role="status">
      {asking || stopped ? (
        <p className="row sm mut flex-wrap">
          {asking ? <Spinner /> : null}
          {dryRun.inPortions ? t('asked', { asked: predicted.length, total: items.length }) : tw('scale.drySending')}
          {stopped ? (
            <Button size="sm" onClick={dryRun.goOn}>
              {t('goOn')}
            </Button>
          ) : dryRun.inPortions ? (
            <Button size="sm" onClick={dryRun.stop}>
              {t('stop')}
            </Button>
          ) : null}
        </p>
      ) : null}
      {predicted.length > 0 ? (
        <p className="wrap-anywhere">
          {only && reasons.length === 1 ? (
            t.rich('one', { summary, reason: visibleText(only.reason), b })
          ) : (
            <b className="b">{summary}</b>
          )}
        </p>
      ) : null}
      {listed.map(({ reason, count }) => (
        <p key={reason} className="sm mut wrap-anywhere">
          <SafeText text={t('reason', { reason, count })} />
        </p>
      ))}
      {listed.length < reasons.length && reasons.length > 1 ? (
        <p className="sm mut">{t('others', { count: reasons.length - listed.length })}</p>
      ) : null}
      {props.stops && refused > 0 && counts.accepted > 0 ? <p className="sm mut">{t('stops')}</p> : null}
    </div>
  );
}

/** Why some would be refused, the most frequent first; what differs in nothing but the name of the sandbox is one reason. */
function useReasons(predicted: readonly SandboxOutcome[]): { reason: string; count: number }[] {
  const say = useProblemText();
  const counts = new Map<string, number>();
  for (const { name, result, problem } of predicted) {
    if (result !== 'refused' || !problem) continue;
    const reason =
      problem.reason === 'notNow'
        ? say({ ...problem, values: { ...problem.values, sandbox: 'none' } })
        : say(problem).replace(wholeWord(name), '…');
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}

/** A name as such, not where it is a part of another word. */
const wholeWord = (name: string) => new RegExp(`(?<![\\w.-])${name.replaceAll('.', '\\.')}(?![\\w-])`, 'g');
