'use client';

import { SectionHead } from '@/components/common';
import { SandboxWaterfall } from '@/components/history';
import { Skeleton } from '@/components/ui';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { PodReading, SandboxReading } from '@/lib/domain/object-readings';
import type { FilterContext } from '@/lib/domain/sandbox-filter';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SandboxFacts } from '../facts';
import { Pods } from '../pods';
import { ConditionTimeline } from './condition-timeline';
import { Containers } from './containers';
import { Deadlines } from './deadlines';
import { ObjectFacts } from './object-facts';
import { Related } from './related';

/** Stays that are shown at first. */
const lastStays = 20;

/** Left what happened and what runs, right what it is. */
export function OverviewTab({
  row,
  sandbox,
  pod,
  reply,
  pools,
}: {
  row: SandboxRow;
  sandbox: SandboxReading | undefined;
  pod: PodReading | undefined;
  reply: ObjectReply | undefined;
  pools: FilterContext['pools'];
}) {
  const t = useTranslations('sandboxes.detail.section');
  const wait = (
    <div className="px-[var(--gutter)] pb-3">
      <Skeleton width="40%" />
    </div>
  );
  return (
    <div className="split flex-1">
      <div className="min-w-0 [&>.sec:first-child]:border-t-0">
        <SandboxWaterfall row={row} title={t('timeline')} last={lastStays} />
        <section className="sec">
          <SectionHead title={t('conditions')} hint={t('conditionsHint')} />
          {sandbox ? <ConditionTimeline conditions={sandbox.conditions} /> : wait}
        </section>
        <section className="sec">
          <SectionHead title={t('containers')} hint={pod ? t('containersHint') : undefined} />
          {reply && !pod ? <p className="dim px-[var(--gutter)] pb-3">{t('noPod')}</p> : null}
          {reply ? <Containers pod={pod} reply={reply} /> : wait}
        </section>
        <section className="sec">
          <SectionHead title={t('pods')} />
          <div className="max-w-[620px] px-[var(--gutter)] pb-3">
            {reply && sandbox ? <Pods reply={reply} sandbox={sandbox} /> : <Skeleton width="40%" />}
          </div>
        </section>
      </div>
      <aside className="min-w-0 [&_.kv]:px-[var(--gutter)]" aria-label={t('facts')}>
        <section>
          <SectionHead title={t('facts')} />
          <SandboxFacts row={row} sandbox={sandbox} pools={pools} />
        </section>
        <section className="sec">
          <SectionHead title={t('deadlines')} />
          <Deadlines row={row} />
        </section>
        <section className="sec">
          <SectionHead title={t('related')} />
          <Related row={row} />
        </section>
        <section className="sec">
          <SectionHead title={t('object')} />
          <ObjectFacts row={row} sandbox={sandbox} />
        </section>
      </aside>
    </div>
  );
}
