'use client';

import { Button, Spinner } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxChange, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import { useTranslations } from '@/lib/i18n/use-translations';
import { DryRunSummary } from './dry-run-summary';
import { deletedPodOf, isObserved, makesPod, useObservedText } from './observed';
import { ActionOutcomes } from './outcomes';
import type { Acting } from './use-acting';
import { useNewPods } from './use-new-pods';

/** What the server said beforehand of several, what became of each, and what is seen of it since. */
export function BulkAnswers(props: {
  change: SandboxChange | undefined;
  items: readonly SandboxTarget[];
  live: ReadonlyMap<string, SandboxRow>;
  acting: Acting;
  /** Nothing is sent after the first that fails. */
  stops: boolean;
  onGoOn: () => void;
}) {
  const { change, items, live, acting, stops } = props;
  const { outcomes, dryRun } = acting;
  const t = useTranslations('sandboxes.actions');
  const observed = useObserved(change, acting, live);
  const answered = [...(outcomes?.values() ?? [])];
  const of = (wanted: string) => answered.filter(({ result }) => result === wanted).length;
  const accepted = of('accepted');
  const skipped = of('skipped');
  return (
    <>
      {outcomes ? (
        <p role="status" className="row">
          {acting.sending || observed.size < accepted ? <Spinner /> : null}
          {t('progress', { answered: answered.length, total: items.length, accepted, observed: observed.size })}
        </p>
      ) : dryRun && change ? (
        <DryRunSummary dryRun={dryRun} change={change} items={items} stops={stops} />
      ) : null}
      <ActionOutcomes
        items={items}
        outcomes={outcomes ?? (dryRun?.predicted && new Map(dryRun.predicted.map((each) => [each.uid, each])))}
        dry={outcomes === undefined}
        live={live}
        observed={observed}
      />
      {skipped > 0 && !acting.sending ? (
        <div>
          <Button onClick={props.onGoOn}>{t('goOn', { count: skipped })}</Button>
        </div>
      ) : null}
    </>
  );
}

/** Of those that were accepted and are seen to have followed, by uid: what was observed, in words. */
function useObserved(
  change: SandboxChange | undefined,
  { outcomes, sentAt }: Acting,
  live: ReadonlyMap<string, SandboxRow>,
): ReadonlyMap<string, string> {
  const say = useObservedText();
  const accepted = [...(outcomes?.values() ?? [])].filter(({ result }) => result === 'accepted');
  const changed = change && makesPod(change) ? accepted.filter(({ uid }) => live.has(uid)) : [];
  const now = useNewPods(new Map(changed.map((outcome) => [outcome.uid, deletedPodOf(outcome)])), sentAt);
  const observed = new Map<string, string>();
  if (!change) return observed;
  for (const outcome of accepted) {
    const row = live.get(outcome.uid);
    const pods = { before: deletedPodOf(outcome), now: now[outcome.uid] };
    // Of a paused one it is not known which Pod was the last: that it runs is enough.
    const seen = isObserved(change, outcome.receipt, row, change.action === 'resumeSandbox' ? undefined : pods);
    if (seen) observed.set(outcome.uid, say(change, row, pods));
  }
  return observed;
}
