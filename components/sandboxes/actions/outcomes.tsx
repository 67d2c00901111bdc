'use client';

import { SandboxState, useProblemText } from '@/components/common';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxOutcome, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import { useTranslations } from '@/lib/i18n/use-translations';
import { OutcomesTable } from '../../writes/outcomes-table';

const rank: Record<SandboxOutcome['result'], number> = {
  unknown: 0,
  refused: 1,
  skipped: 2,
  accepted: 3,
  unchanged: 4,
};

/** Each sandbox with what would become of it, or what did, and how it is now; those in trouble first. */
export function ActionOutcomes(props: {
  items: readonly SandboxTarget[];
  outcomes: ReadonlyMap<string, SandboxOutcome> | undefined;
  /** Nothing is written yet. */
  dry: boolean;
  live: ReadonlyMap<string, SandboxRow>;
  /** What was observed of those that were accepted, in words. */
  observed: ReadonlyMap<string, string>;
}) {
  const t = useTranslations('sandboxes.actions.outcome');
  const say = useProblemText();
  const { items, outcomes, dry, live, observed } = props;
  const order = ({ uid }: SandboxTarget) => rank[outcomes?.get(uid)?.result ?? 'unchanged'];
  const many = new Set(items.map(({ ns }) => ns)).size > 1;
  const lines = items
    .toSorted((a, b) => order(a) - order(b))
    .map(({ uid, ns, name }) => {
      const row = live.get(uid);
      const { result, problem, receipt } = outcomes?.get(uid) ?? {};
      const troubled = result === 'refused' || result === 'unknown';
      return {
        uid,
        name: many ? `${ns}/${name}` : name,
        about: row ? <SandboxState row={row} /> : <span className="dim">{t('gone')}</span>,
        result: result && t(`${dry ? 'dry' : 'done'}.${result}`),
        tone: result === 'unknown' ? ('unknown' as const) : troubled ? ('breach' as const) : undefined,
        notes: [
          // The template was written, and then its Pod stayed.
          troubled && receipt?.changed && !dry ? t('templateOnly') : undefined,
          problem && say(problem),
          observed.get(uid),
        ].filter((note) => note !== undefined),
      };
    });
  return <OutcomesTable lines={lines} aboutHead={t('now')} dry={dry} />;
}
