'use client';

import { ChevronDown, ChevronUp } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { SafeText, SandboxState, useProblemText } from '@/components/common';
import { IconButton, Skeleton } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { readPod, readSandbox } from '@/lib/domain/object-readings';
import { severityOf } from '@/lib/domain/severity';
import { wholeEvidence } from '@/lib/domain/whole-evidence';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { Conditions } from '../sandboxes/conditions';
import { LastEvents } from '../sandboxes/events';
import { GoneNote } from '../sandboxes/gone-note';
import { useSandboxObject } from '../sandboxes/object-query';
import { sandboxPath } from '../sandboxes/paths';
import { Pods } from '../sandboxes/pods';
import type { KeptRow } from '../sandboxes/use-kept-row';
import { CauseSentence, Verdict } from '../sandboxes/verdict';
import { Evidence } from './evidence';
import { WhatNext } from './what-next';
import { UpgradeFacts, Whose } from './who-and-what';

/** Why one sandbox does not move on: the verdict, the evidence, and what the object itself says. */
export function Reading({
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
  const ts = useTranslations('stuck');
  const tc = useTranslations('domain.cause');
  const calm = severityOf(row, useNow()) === 'calm';
  const { data, error } = useSandboxObject(row, row);
  const say = useProblemText();
  const reply = data?.object.metadata.uid === row.uid ? data : undefined;
  const sandbox = reply && readSandbox(reply.object);
  const pod = reply?.pod && readPod(reply.pod);
  const { cause } = row;
  const title = cause?.never ? t('never') : cause ? tc(cause.code) : ts('noCause');
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
      {kept.goneAt === undefined ? null : (
        <div className="px-4 pb-3">
          <GoneNote kept={kept} />
        </div>
      )}
      {kept.goneAt !== undefined ? null : calm ? (
        <div className="psec">
          <SandboxState row={row} withStage />
          <p className="mut mt-1">
            {t('calm')} {cause ? <CauseSentence row={row} /> : null}
          </p>
        </div>
      ) : (
        <Verdict row={row} title={title}>
          {cause?.never ? t('neverText') : undefined}
        </Verdict>
      )}
      <Evidence row={row} said={wholeEvidence(row, sandbox, pod)} pod={pod} waiting={reply === undefined && !error} />
      <UpgradeFacts row={row} object={reply?.object} />
      <Whose row={row} object={reply?.object} />
      {error ? (
        <Section title={t('unreadable')}>
          <p className="sm mut">
            <SafeText text={say(error.problem ?? error)} />
          </p>
        </Section>
      ) : (
        <>
          <Section title={t('conditions')}>{sandbox ? <Conditions conditions={sandbox.conditions} /> : wait}</Section>
          <Section title={t('pods')}>{reply && sandbox ? <Pods reply={reply} sandbox={sandbox} /> : wait}</Section>
          <Section title={t('events')}>{reply ? <LastEvents reply={reply} row={row} /> : wait}</Section>
        </>
      )}
      <WhatNext row={row} />
    </aside>
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
