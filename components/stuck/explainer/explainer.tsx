'use client';

import { ChevronDown, ChevronUp } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { SafeText, SandboxState, useProblemText } from '@/components/common';
import { IconButton, Skeleton } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { readSandbox } from '@/lib/domain/object-readings';
import { severityOf } from '@/lib/domain/severity';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits, useNow, useRowByName } from '@/lib/live';
import { Conditions } from '../../sandboxes/conditions';
import { LastEvents } from '../../sandboxes/events';
import { GoneNote } from '../../sandboxes/gone-note';
import { useSandboxObject } from '../../sandboxes/object-query';
import { sandboxPath } from '../../sandboxes/paths';
import { Pods } from '../../sandboxes/pods';
import type { KeptRow } from '../../sandboxes/use-kept-row';
import { Verdict as VerdictBlock } from '../../sandboxes/verdict';
import { WhatNext } from '../what-next';
import { UpgradeFacts, Whose } from '../who-and-what';
import { useFindingSentence, useFindingTitle } from './finding-words';
import { Confidence, Hints, NothingFound, UnknownValues } from './findings';
import { GateList } from './gate-list';
import { useVerdict } from './use-verdict';
import { StepButton } from './way-button';
import { BundleFirst, ExtendFirst, WaysOut } from './ways-out';

/** Why one sandbox does not move on: the controller's gates with their evidence, the cause, and the ways out. */
export function Explainer({
  kept,
  row,
  onPrevious,
  onNext,
}: {
  kept: KeptRow;
  row: SandboxRow;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const t = useTranslations('stuck.reading');
  const { data, error } = useSandboxObject(row, row);
  const say = useProblemText();
  const reply = data?.object.metadata.uid === row.uid ? data : undefined;
  const verdict = useVerdict(row, reply);
  const late = severityOf(row, useNow(), useLimits()) !== 'calm';
  const gone = kept.goneAt !== undefined;
  const pool = useRowByName('sandboxsets', row.ns, row.pool ?? '');
  const sandbox = reply && readSandbox(reply.object);
  const wait = error ? null : <Skeleton width="62%" />;
  return (
    <aside aria-label={t('label', { name: row.name })} className="bg-surface">
      <div className="peekh">
        <span className="dim sm nw">{t('why')}</span>
        <Link className="mono b cut" href={sandboxPath(row)} title={row.name}>
          <SafeText text={row.name} />
        </Link>
        <span className="end row gap-[2px]">
          <IconButton label={t('previous')} icon={ChevronUp} aria-disabled={!onPrevious} onClick={onPrevious} />
          <IconButton label={t('next')} icon={ChevronDown} aria-disabled={!onNext} onClick={onNext} />
        </span>
      </div>
      {gone ? (
        <div className="px-4 pb-3">
          <GoneNote kept={kept} />
        </div>
      ) : (
        <Head row={row} verdict={verdict} late={late} />
      )}
      {verdict ? <GateList verdict={verdict} row={row} /> : wait ? <div className="psec">{wait}</div> : null}
      {error ? (
        <Section title={t('unreadable')}>
          <p className="sm mut" title={error.message}>
            {error.problem?.code === 'upstream_unavailable' ? (
              t('away')
            ) : (
              <SafeText text={say(error.problem ?? error)} />
            )}
          </p>
          {row.cause?.detail === undefined ? null : (
            <p className="mono mt-1 wrap-anywhere">
              <SafeText text={row.cause.detail} lines="keep" />
            </p>
          )}
        </Section>
      ) : null}
      {verdict && late && !verdict.cause ? <NothingFound verdict={verdict} /> : null}
      {verdict ? <UnknownValues verdict={verdict} /> : null}
      <WaysOut
        steps={verdict?.cause?.steps ?? []}
        useless={verdict?.cause?.useless ?? []}
        cause={verdict?.cause?.code}
        first={
          <>
            <BundleFirst row={row} />
            <ExtendFirst row={row} object={reply?.object} />
          </>
        }
        actionOf={(step) => <StepButton step={step} pool={pool} row={row} object={reply?.object} />}
      />
      <WhatNext row={row} />
      {verdict ? <Hints hints={verdict.hints} /> : null}
      <UpgradeFacts row={row} object={reply?.object} />
      <Whose row={row} object={reply?.object} />
      {error ? null : (
        <>
          <Section title={t('conditions')}>{sandbox ? <Conditions conditions={sandbox.conditions} /> : wait}</Section>
          <Section title={t('pods')}>{reply && sandbox ? <Pods reply={reply} sandbox={sandbox} /> : wait}</Section>
          <Section title={t('events')}>{reply ? <LastEvents reply={reply} row={row} /> : wait}</Section>
        </>
      )}
    </aside>
  );
}

/** The cause in words. Until the objects are read it is that of the row, which comes from the same rules. */
function Head({ row, verdict, late }: { row: SandboxRow; verdict: ReturnType<typeof useVerdict>; late: boolean }) {
  const t = useTranslations('stuck');
  const title = useFindingTitle();
  const sentence = useFindingSentence();
  const cause = verdict ? verdict.cause : row.cause && { ...row.cause, never: row.cause.never ?? false };
  const found = verdict?.cause;
  const skewed = verdict?.aheadMs !== undefined;
  const more = (
    <>
      {found ? <Confidence finding={found} /> : null}
      {skewed ? <p className="sm mut">{t('reading.ahead')}</p> : null}
    </>
  );
  if (!late) {
    return (
      <div className="psec">
        <SandboxState row={row} withStage />
        <p className="mut mt-1">
          {t('reading.calm')} {cause ? sentence(cause) : null}
        </p>
        {more}
      </div>
    );
  }
  return (
    <>
      <VerdictBlock row={row} title={cause ? title(cause) : t('noCause')}>
        {cause ? sentence(cause) : undefined}
      </VerdictBlock>
      {found || skewed ? <div className="px-4 pt-2">{more}</div> : null}
    </>
  );
}

function Section({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="psec">
      <h3>{title}</h3>
      {children}
    </section>
  );
}
