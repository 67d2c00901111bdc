'use client';

import Link from 'next/link';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useMemo, useState } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { PageHead, StaleBanner } from '../../common';
import { useScope } from '../../shell/scope';
import { ChangeStep } from './change-step';
import { contractOf, type PlanStep, planSteps } from './contract-of';
import { DiscardDraft } from './discard-draft';
import { DraftNotes } from './draft-notes';
import { PlanSteps } from './plan-steps';
import type { Planning, Sent } from './planning';
import { ReviewStep } from './review-step';
import { RightsNote } from './rights-note';
import { SafetyStep } from './safety-step';
import { Started } from './started';
import { stepPanesId } from './step-frame';
import { TargetsStep } from './targets-step';
import { useDrafts } from './use-drafts';
import { neededRights, useMissingRights } from './use-missing-rights';
import { usePreview } from './use-preview';
import './plan.css';

const views = { targets: TargetsStep, change: ChangeStep, safety: SafetyStep, review: ReviewStep };

/**
 * The form itself.
 * @param props.storage names the cluster's drafts in this browser
 * @param props.lost the address asked for something that this tab does not have
 */
export function PlanForm({ cluster, storage, lost }: { cluster: string; storage: string; lost: boolean }) {
  const t = useTranslations('upgrade-plan');
  const faultText = useTranslations('upgrade-plan.fault');
  const { namespaces } = useScope();
  const drafts = useDrafts(storage, namespaces.length === 1 ? (namespaces[0] ?? '') : '');
  const { form, edit } = drafts;
  const [step, setStep] = useQueryState(
    'step',
    parseAsStringLiteral(planSteps).withDefault('targets').withOptions({ history: 'push' }),
  );
  const [sent, setSent] = useState<Sent>();
  const { preview: request, ...plan } = useMemo(() => contractOf(form), [form]);
  const preview = usePreview(storage, sent ? undefined : request);
  const missing = useMissingRights(form);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  // What was looked at, of this draft and since the page was loaded.
  const look = `${form.id}/${step}`;
  if (!seen.has(look)) setSeen(new Set([...seen, look]));
  const open = useMemo(() => new Set(plan.faults.map((fault) => fault.step)), [plan.faults]);

  const goTo = (next: PlanStep) => {
    void setStep(next);
    // A new step is read from its beginning, by eyes and by screen readers.
    requestAnimationFrame(() => document.getElementById(stepPanesId)?.focus());
  };
  if (sent) {
    return (
      <Started
        sent={sent}
        onNew={() => {
          setSent(undefined);
          void setStep(null);
        }}
      />
    );
  }
  const planning: Planning = {
    ...plan,
    cluster,
    form,
    edit,
    preview,
    missing,
    limit: request?.maxUnavailable,
    faultOf: (code, row) => {
      const found = plan.faults.some((fault) => fault.code === code && (row === undefined || fault.row === row));
      return found ? faultText(code) : undefined;
    },
    goTo,
    onSent: (next) => {
      setSent(next);
      drafts.drop(form.id);
    },
  };
  const View = views[step];
  return (
    <div className="plan">
      <PageHead
        crumb={<Link href="/upgrades">{t('crumb')}</Link>}
        title={t('title')}
        sub={form.namespace ? `${form.namespace} · ${cluster}` : cluster}
        actions={<DiscardDraft disabled={drafts.blank} onDiscard={() => drafts.drop(form.id)} />}
      />
      <StaleBanner />
      <DraftNotes drafts={drafts} lost={lost} />
      <RightsNote planning={planning} />
      <PlanSteps
        step={step}
        open={open}
        seen={new Set(planSteps.filter((each) => seen.has(`${form.id}/${each}`)))}
        denied={new Set(neededRights(missing, form).map((each) => each.step))}
        problems={preview.reply?.problems ?? []}
        onStep={goTo}
      />
      <View planning={planning} />
    </div>
  );
}
