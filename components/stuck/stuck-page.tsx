'use client';

import clsx from 'clsx';
import { Check } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { FilterField, PageHead, SafeText, StaleBanner, useListState, useProblemText } from '@/components/common';
import { Icon, Note, Segmented } from '@/components/ui';
import type { HistoryStore } from '@/lib/contracts/history';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { StoppedClock, useLiveState, useLiveStatus } from '@/lib/live';
import { problemOf } from '../writes/api';
import { ActiveFilters } from './active-filters';
import { Charts } from './charts';
import { CohortTable } from './cohorts/cohort-table';
import { Explainer } from './explainer/explainer';
import { LimitsButton } from './limits/limits-button';
import { LinkedNote } from './linked-note';
import { MemberTable } from './member-table';
import { MarkForm } from './owner/mark-form';
import { type MarkTarget, OwnerContext } from './owner/owner-cell';
import { useTriage } from './owner/use-triage';
import { SplitMenu } from './split-menu';
import { stuckViews } from './stuck-params';
import { useChosen } from './use-chosen';
import { useStuck } from './use-stuck';
import './stuck.css';

/** What is past the limit of its state, as cohorts, worst first; beside it why, and the ways out. */
export function StuckPage() {
  const t = useTranslations('stuck');
  const f = useFormats();
  const triage = useTriage();
  const stuck = useStuck(triage.known.markOf);
  const chosen = useChosen(stuck);
  const [form, setForm] = useState<MarkTarget>();
  const stale = useLiveState() === 'reconnecting';
  const ready = useListState('sandboxes') === 'ready';
  const overdue = stuck.total.overdue;
  const nothing = ready && stuck.all.length > 0 && overdue.length === 0;
  // Somebody may have been faster: the form then shows who.
  const { mutate, reset: forgetSet } = triage.set;
  const { reset: forgetRemove } = triage.remove;
  const { request } = triage;
  const take = useCallback(
    (target: MarkTarget) => mutate(request(target.scope, { kind: 'ack' }), { onError: () => setForm(target) }),
    [mutate, request],
  );
  const open = useCallback(
    (target: MarkTarget) => {
      forgetSet();
      forgetRemove();
      setForm(target);
    },
    [forgetRemove, forgetSet],
  );
  const owner = useMemo(() => ({ said: triage.known, onTake: take, onOpen: open }), [open, take, triage.known]);
  const views = stuckViews.filter(
    (view) => view !== 'snoozed' || stuck.total.snoozed.length > 0 || stuck.view === view,
  );
  const { cohort, kept, row } = chosen;

  return (
    <>
      <PageHead
        title={t('title')}
        sub={ready ? <Summary stuck={stuck} /> : undefined}
        actions={
          <>
            <Segmented
              label={t('view.label')}
              value={stuck.view}
              onChange={stuck.setView}
              options={views.map((view) => ({
                value: view,
                label: `${t(`view.${view}`)} ${ready ? f.number(stuck.views[view].length) : '–'}`,
              }))}
            />
            <LimitsButton />
            <SplitMenu value={stuck.search.by} onChange={stuck.setBy} />
            <span className="flex max-[760px]:basis-full max-[760px]:[&>.filter]:flex-1">
              <FilterField value={stuck.search.q} onChange={stuck.setText} placeholder={t('filter')} width={170} />
            </span>
          </>
        }
      />
      <ActiveFilters filters={stuck.filters} onClear={stuck.clear} />
      {nothing ? <Calm /> : null}
      {triage.known.error || triage.store?.state === 'unavailable' ? (
        <MarksNote error={triage.known.error} store={triage.store} known={triage.known.marks.length} />
      ) : null}
      <LinkedNote stuck={stuck} chosen={chosen} />
      <StaleBanner />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only hold what is shown */}
      <div
        className={clsx('triage', !row && 'alone', stale && 'dimmed')}
        onPointerEnter={() => chosen.setHold(true)}
        onPointerLeave={() => chosen.setHold(false)}
        onFocus={() => chosen.setHold(true)}
        onBlur={() => chosen.setHold(false)}
      >
        <OwnerContext value={owner}>
          <div className="left">
            <CohortTable stuck={stuck} chosen={cohort} nothing={nothing} />
            {cohort ? (
              <MemberTable key={cohort.key} stuck={stuck} cohort={cohort} read={row} onOrder={chosen.setOrder} />
            ) : null}
            {cohort ? <Charts cohort={cohort} row={row} goneAt={kept.goneAt} /> : null}
          </div>
        </OwnerContext>
        {row ? (
          <div className="why">
            <StoppedClock value={kept.goneAt}>
              <Explainer key={row.uid} kept={kept} row={row} onPrevious={chosen.step(-1)} onNext={chosen.step(1)} />
            </StoppedClock>
          </div>
        ) : null}
      </div>
      {form ? <MarkForm target={form} triage={triage} onClose={() => setForm(undefined)} /> : null}
    </>
  );
}

/** Marks cannot be read: nobody is to think that nothing was said. */
function MarksNote({ error, store, known }: { error: Error | null; store: HistoryStore | undefined; known: number }) {
  const t = useTranslations('stuck.owner');
  const say = useProblemText();
  return (
    <div className="px-[var(--gutter)] pb-3">
      <Note tone="unknown" title={t(known > 0 ? 'stale' : 'unknown')}>
        <SafeText text={error ? say(problemOf(error)) : (store?.why ?? '')} />
      </Note>
    </div>
  );
}

function Summary({ stuck }: { stuck: ReturnType<typeof useStuck> }) {
  const t = useTranslations('stuck.summary');
  const overdue = stuck.total.overdue;
  const sessions = overdue.filter((row) => row.claimed).length;
  return (
    <>
      {overdue.length > 0 ? (
        <>
          <b className="b text-breach-fg">{t('overdue', { count: overdue.length })}</b>{' '}
          {stuck.view === 'overdue' && !stuck.filtered ? t('cohorts', { count: stuck.cohorts.length }) : null} ·{' '}
          {t('sessions', { count: sessions })} ·{' '}
        </>
      ) : null}
      <Checked />
    </>
  );
}

/** When everything on the page was last known to be current. */
function Checked() {
  const t = useTranslations('stuck.summary');
  const f = useFormats();
  const { ageMs } = useLiveStatus();
  return <>{t('checked', { age: f.coarse(ageMs) })}</>;
}

function Calm() {
  const t = useTranslations('stuck');
  return (
    <p className="row border-t border-line px-[var(--gutter)] py-3">
      <Icon icon={Check} tone="ok" />
      {t('calm')}
      <span className="dim sm">
        <Checked />
      </span>
    </p>
  );
}
