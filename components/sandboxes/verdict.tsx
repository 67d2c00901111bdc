'use client';

import clsx from 'clsx';
import type { ReactNode } from 'react';
import { SafeText, severityTone, stateLooks } from '@/components/common';
import { Icon } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { nextThing } from '@/lib/domain/deadlines';
import { dwellOf, severityOf } from '@/lib/domain/severity';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits, useNow } from '@/lib/live';
import { useFindingSentence, useFindingTitle } from '../stuck/explainer/finding-words';
import { DwellClock } from './dwell-clock';
import { endsSoon } from './next-thing';

/** Past warn only: the line at the top says it, nothing is filled. */
const notFilled = 'border-b-0 bg-surface shadow-[inset_0_2px_0_var(--attention)]';

type Mark = (chunk: ReactNode) => ReactNode;
const plain: Mark = (chunk) => chunk;

/** The name of a row's state; a phase of a newer version as the cluster wrote it. */
export function useStateName(): (row: SandboxRow) => string {
  const t = useTranslations('domain.state');
  return (row) => (row.state === 'Other' ? row.phase : t(row.state));
}

/** `Resuming for 14m 08s`; `≥` where the state was seen but not its start. */
function DwellSentence({ row, mark = plain }: { row: SandboxRow; mark?: Mark }) {
  const t = useTranslations('sandboxes.verdict');
  const f = useFormats();
  const state = useStateName()(row);
  const dwell = dwellOf(row, useNow());
  if (dwell.ms === undefined) return t('unknownFor', { state });
  return t.rich('for', { state, dwell: f.duration(dwell.ms, { atLeast: dwell.atLeast }), b: mark });
}

/** `shutdownTime fires in 4m 12s while still Resuming`. */
function NextSentence({ row }: { row: SandboxRow }) {
  const t = useTranslations('sandboxes.verdict');
  const f = useFormats();
  const now = useNow();
  const limits = useLimits();
  const state = useStateName()(row);
  const next = nextThing(row, now);
  if (!next) return null;
  const mark: Mark = (chunk) => (
    <b className={clsx('b', endsSoon(next, row, now, limits) ? 'text-breach-fg' : 'text-fg')}>{chunk}</b>
  );
  return <>{t.rich(next.kind, { left: f.duration(Math.max(0, next.at - now)), state, b: mark })} · </>;
}

/**
 * What is wrong with a sandbox that is overdue, and the time it has left. Past the breach line it is the one
 * red tint of its screen, before that it is not filled. The title is that of the cause, or the dwell without one. `said`: the
 * cluster's own words, where nothing else on the page shows them.
 */
export function Verdict({
  row,
  title: given,
  said,
  children,
}: {
  row: SandboxRow;
  title?: ReactNode;
  said?: string | undefined;
  children?: ReactNode;
}) {
  const now = useNow();
  const severity = severityOf(row, now, useLimits());
  const titleOf = useFindingTitle();
  const sentenceOf = useFindingSentence();
  const t = useTranslations('sandboxes.says');
  if (severity === 'calm') return null;
  const expired = nextThing(row, now)?.kind === 'expired' ? ({ code: 'PastShutdown' } as const) : undefined;
  const found = row.cause ?? expired;
  const cause = found && { ...found, never: row.cause?.never ?? false };
  const title = given ?? (cause && titleOf(cause));
  return (
    <div className={clsx('verdict', severity === 'warn' && notFilled)} data-tone={severityTone(severity)}>
      <h2 className={severity === 'warn' ? 'text-attention-fg' : undefined}>
        <Icon icon={stateLooks[row.state].icon} large />
        <span>{title ?? <DwellSentence row={row} />}</span>
      </h2>
      <p>{children ?? (cause ? sentenceOf(cause) : t(row.state === 'Failed' ? 'failed' : 'noCause'))}</p>
      {said === undefined ? null : (
        <p className="mono whitespace-pre-wrap wrap-anywhere">
          <SafeText text={said} lines="keep" />
        </p>
      )}
      <p className="m">
        {title ? (
          <>
            <DwellSentence row={row} mark={(chunk) => <b className="b text-fg">{chunk}</b>} /> ·{' '}
          </>
        ) : null}
        <NextSentence row={row} />
        <DwellClock row={row} />
      </p>
    </div>
  );
}
