'use client';

import { ListChecks } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dwell, Peek, SafeText, SandboxState, useProblemText } from '@/components/common';
import { ButtonLink, Skeleton } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { readPod, readSandbox } from '@/lib/domain/object-readings';
import type { FilterContext } from '@/lib/domain/sandbox-filter';
import { severityOf } from '@/lib/domain/severity';
import { wholeEvidence } from '@/lib/domain/whole-evidence';
import { useTranslations } from '@/lib/i18n/use-translations';
import { StoppedClock, useLimits, useNow } from '@/lib/live';
import { Conditions } from './conditions';
import { LastEvents } from './events';
import { SandboxFacts } from './facts';
import { GoneNote } from './gone-note';
import { InitImages } from './init-images';
import { useSandboxObject } from './object-query';
import { sandboxPath, stuckPath } from './paths';
import { Pods } from './pods';
import type { KeptRow } from './use-kept-row';
import { Verdict } from './verdict';

/** One sandbox beside the list: the row at once, the rest of the object when it is read. */
export function SandboxPeek({
  kept,
  row,
  pools,
  onPrevious,
  onNext,
  onClose,
}: {
  kept: KeptRow;
  row: SandboxRow;
  pools: FilterContext['pools'];
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}) {
  const t = useTranslations('sandboxes.peek');
  const gone = kept.goneAt !== undefined;
  const { data: reply, error } = useSandboxObject(row, row);
  const say = useProblemText();
  // The answer for a name may be of its next bearer.
  const data = reply?.object.metadata.uid === row.uid ? reply : undefined;
  const stuck = severityOf(row, useNow(5_000), useLimits()) !== 'calm' && !gone;
  const sandbox = data && readSandbox(data.object);
  const pod = data?.pod && readPod(data.pod);
  return (
    <Peek name={row.name} href={sandboxPath(row)} onPrevious={onPrevious} onNext={onNext} onClose={onClose}>
      <StoppedClock value={kept.goneAt}>
        {gone ? (
          <div className="px-4 pb-3">
            <GoneNote kept={kept} />
          </div>
        ) : (
          <Verdict row={row} said={wholeEvidence(row, sandbox, pod)} />
        )}
        {stuck || gone ? null : (
          <div className="psec row">
            <SandboxState row={row} withStage />
            <span className="end">
              <Dwell row={row} />
            </span>
          </div>
        )}
        {stuck ? (
          <div className="psec">
            <ButtonLink variant="primary" icon={ListChecks} href={stuckPath(row)}>
              {t('triage')}
            </ButtonLink>
          </div>
        ) : null}
        <div className="psec px-0! pt-2! pb-[2px]!">
          <SandboxFacts row={row} sandbox={sandbox} pools={pools} />
        </div>
        {error && !gone ? (
          <div className="psec">
            <p className="sm mut">
              {t('unreadable')} <SafeText text={say(error.problem ?? error)} />
            </p>
          </div>
        ) : null}
        {(error || gone) && !data ? null : (
          <>
            <Section title={t('conditions')}>
              {sandbox ? <Conditions conditions={sandbox.conditions} /> : <Wait />}
            </Section>
            <Section title={t('pods')}>
              {data && sandbox ? <Pods reply={data} sandbox={sandbox} /> : <Wait />}
              {pod ? <InitImages pod={pod} /> : null}
            </Section>
            <Section title={t('events')}>{data ? <LastEvents reply={data} row={row} /> : <Wait />}</Section>
          </>
        )}
      </StoppedClock>
    </Peek>
  );
}

function Section({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="psec">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function Wait() {
  return <Skeleton width="62%" />;
}
