'use client';

import { Check, OctagonX, TriangleAlert } from 'lucide-react';
import type { PlanProblem } from '@/lib/contracts/upgrade-preview';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Icon } from '../../ui';
import { type PlanStep, planSteps } from './contract-of';

/** Where each problem that the server sees can be dealt with. All of them stand in the review as well. */
const stepsOf: Record<PlanProblem['code'], readonly PlanStep[]> = {
  nothingMatches: ['targets'],
  templateRef: ['targets'],
  namespaceLocked: ['targets'],
  nothingChanges: ['change'],
  patchNotMergeable: ['change'],
  unknownField: ['change'],
  podRefused: ['change'],
  addsContainer: ['change'],
  imageWithCheckpoint: ['change'],
  lifecycleOnlyNeverEnds: ['change'],
  // Another patch makes it another update, and so does another hook.
  identicalRetry: ['change', 'safety'],
  historyUnknown: ['change'],
  noCheckpointKind: ['safety'],
  noCheckpointController: ['safety'],
  checkpointWaits: ['safety'],
  checkpointsUnknown: ['safety'],
  hookWithoutRuntime: ['safety'],
  nameTaken: ['review'],
};

export const problemsIn = (step: PlanStep, problems: readonly PlanProblem[]) =>
  problems.filter(({ code }) => stepsOf[code].includes(step));

const isStop = ({ weight }: PlanProblem) => weight === 'stops';

/** The steps, each with whether it is complete; any of them can be gone to at any time. */
export function PlanSteps(props: {
  step: PlanStep;
  /** Steps that have a field that is empty or not right. */
  open: ReadonlySet<PlanStep>;
  /** Steps that were opened. */
  seen: ReadonlySet<PlanStep>;
  /** Steps that ask for what the person may not do. */
  denied: ReadonlySet<PlanStep>;
  problems: readonly PlanProblem[];
  onStep: (step: PlanStep) => void;
}) {
  const t = useTranslations('upgrade-plan');
  return (
    <nav className="plan-steps" aria-label={t('steps')}>
      <ol>
        {planSteps.map((step, index) => {
          const problems = problemsIn(step, props.problems);
          const stops = problems.some(isStop) || (step === 'review' ? props.denied.size > 0 : props.denied.has(step));
          // Nothing is reviewed while something is missing or cannot be.
          const open = step === 'review' ? props.open.size > 0 || props.problems.some(isStop) : props.open.has(step);
          const calm = props.seen.has(step) ? 'done' : 'unseen';
          const state = stops ? 'stops' : open ? 'open' : problems.length > 0 ? 'warns' : calm;
          return (
            <li key={step}>
              <button
                type="button"
                aria-current={step === props.step ? 'step' : undefined}
                onClick={() => props.onStep(step)}
              >
                <span className="k" data-state={state} aria-hidden="true">
                  {state === 'done' ? (
                    <Icon icon={Check} tone="ok" />
                  ) : state === 'stops' ? (
                    <Icon icon={OctagonX} tone="attention" />
                  ) : state === 'warns' ? (
                    <Icon icon={TriangleAlert} tone="attention" />
                  ) : (
                    index + 1
                  )}
                </span>
                {t(`step.${step}`)}
                <span className="vh"> {t(`stepState.${state}`)}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
