'use client';

import { useState } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { type Guard, GuardedButton, TextArea, TextField } from '../../ui';
import { isRefusal } from '../../writes/api';
import { DryRunLine } from '../../writes/dry-run-line';
import { ProblemNote } from '../../writes/problem-note';
import { useWriteGuard } from '../../writes/use-write-guard';
import { ImpactFacts } from './impact-facts';
import { KeepList } from './keep-list';
import { LeftOutHooks } from './left-out-hooks';
import { LockNote } from './lock-note';
import { Manifest } from './manifest';
import { MovedNote } from './moved-note';
import { PlanProblems } from './plan-problems';
import { PlanSummary } from './plan-summary';
import type { Planning } from './planning';
import { SampleDiff } from './sample-diff';
import { StartDialog } from './start-dialog';
import { StepFrame } from './step-frame';
import { type Create, useCreate } from './use-create';
import { neededRights } from './use-missing-rights';
import { WriteProblem } from './write-problem';

/** All of it once more, what the API server says to it, and the start. */
export function ReviewStep({ planning }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.review');
  const { form, edit, faultOf, preview } = planning;
  const guard = useWriteGuard('createUpgrade', form.namespace, undefined);
  const create = useCreate(planning, guard.state === 'allowed');
  const [confirming, setConfirming] = useState(false);
  const start = useStartGuard(planning, create, guard);
  const answer = create.dryRun?.data;
  return (
    <>
      <StepFrame
        planning={planning}
        step="review"
        primary={
          <>
            <GuardedButton guard={start} variant="primary" busy={create.sending} onClick={() => setConfirming(true)}>
              {t('start', { count: create.count })}
            </GuardedButton>
            {start.state === 'wrong' ? <span className="sm mut">{start.reason}</span> : null}
          </>
        }
      >
        <section className="plan-pane" aria-label={t('plan')}>
          <TextField
            label={t('name')}
            hint={t('nameHint')}
            error={faultOf('nameEmpty') ?? faultOf('name')}
            mono
            value={form.name}
            onChange={(name) => edit({ name })}
          />
          <PlanSummary planning={planning} />
          {create.moved ? null : <KeepList planning={planning} />}
          <ImpactFacts planning={planning} />
          <TextArea
            label={t('reason')}
            hint={t('reasonHint')}
            rows={2}
            maxLength={500}
            value={form.reason}
            onChange={(reason) => edit({ reason })}
          />
        </section>
        <section className="plan-pane" aria-label={t('answer')}>
          {create.error ? (
            <WriteProblem planning={planning} error={create.error} />
          ) : create.dryRun?.error ? (
            <ProblemNote
              about="upgrade"
              asked="dryRun"
              error={create.dryRun.error}
              onAsk={() => void create.dryRun?.refetch()}
            />
          ) : null}
          <MovedNote create={create} />
          <LockNote planning={planning} whole />
          <PlanProblems planning={planning} />
          <LeftOutHooks planning={planning} />
          {create.dryRun && !create.error ? (
            <div>
              <DryRunLine answer={answer} asking={create.asking} />
              {answer && !create.asking && form.changeBy !== 'none' ? <p className="fhint">{t('dryRunOf')}</p> : null}
            </div>
          ) : null}
          <SampleDiff groups={preview.reply?.groups ?? []} />
          <Manifest planning={planning} answer={create.asking ? undefined : answer} />
        </section>
      </StepFrame>
      <StartDialog
        open={confirming}
        planning={planning}
        create={create}
        start={start}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          create.send();
        }}
      />
    </>
  );
}

/** Why it cannot be started now; the first thing to put right. */
function useStartGuard({ faults, preview, form, missing }: Planning, create: Create, guard: Guard): Guard {
  const t = useTranslations('upgrade-plan.review');
  const steps = useTranslations('upgrade-plan.step');
  const problem = useTranslations('upgrade-plan.problem');
  const [fault] = faults;
  if (fault) return { state: 'wrong', reason: t('fixFirst', { step: steps(fault.step), count: faults.length }) };
  if (guard.state !== 'allowed') return guard;
  const [needed] = neededRights(missing, form);
  if (needed) return { state: 'denied', right: needed.right };
  if (preview.error) return { state: 'wrong', reason: t('previewFirst') };
  if (!preview.reply || preview.asking) return { state: 'unknown', reason: t('counting') };
  const stop = preview.reply.problems.find(({ weight }) => weight === 'stops');
  if (stop) {
    return { state: 'wrong', reason: problem(`${stop.code}.title`, { count: stop.count, name: stop.names[0] ?? '' }) };
  }
  if (create.moved) return { state: 'wrong', reason: t('takeFirst') };
  if (isRefusal(create.dryRun?.error)) return { state: 'wrong', reason: t('dryFirst') };
  if (create.asking) return { state: 'unknown', reason: t('dryRunning') };
  return guard;
}
