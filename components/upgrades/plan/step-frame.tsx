'use client';

import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button } from '../../ui';
import { ProblemNote } from '../../writes/problem-note';
import { atOnce } from './at-once';
import { type PlanStep, planSteps } from './contract-of';
import type { Planning } from './planning';

/** Where the focus goes with a new step. */
export const stepPanesId = 'plan-step';

/** The panes of a step, and under them the way back and on. `primary` takes the place of "next" in the last step. */
export function StepFrame(props: { planning: Planning; step: PlanStep; primary?: ReactNode; children: ReactNode }) {
  const { planning, step } = props;
  const t = useTranslations('upgrade-plan');
  const { preview, limit, goTo } = planning;
  const at = planSteps.indexOf(step);
  const before = planSteps[at - 1];
  const after = planSteps[at + 1];
  const total = preview.reply?.targets.length;
  return (
    <>
      <section className="plan-panes" id={stepPanesId} tabIndex={-1} aria-label={t(`step.${step}`)}>
        {preview.error ? (
          <div className="plan-wide">
            <ProblemNote about="upgrade" asked="plan" error={preview.error} onAsk={preview.again} />
          </div>
        ) : null}
        {props.children}
      </section>
      <footer className="plan-foot">
        {before ? (
          <Button icon={ArrowLeft} onClick={() => goTo(before)}>
            {t('back')}
          </Button>
        ) : null}
        {after ? (
          <Button variant="primary" onClick={() => goTo(after)}>
            {t('next', { step: t(`step.${after}`) })}
          </Button>
        ) : null}
        {props.primary}
        <span className="end sm mut" role="status">
          {total === undefined
            ? t(preview.error ? 'total.notKnown' : preview.asking ? 'total.counting' : 'total.unknown')
            : limit === undefined
              ? t('total.count', { count: total })
              : t('total.known', { count: total, limit: atOnce(limit, total) })}
        </span>
      </footer>
    </>
  );
}
