'use client';

import type { PlanProblem } from '@/lib/contracts/upgrade-preview';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { Note } from '../../ui';
import type { PlanStep } from './contract-of';
import { useFaultText } from './patch-problem-text';
import { problemsIn } from './plan-steps';
import type { Planning } from './planning';

/** What the API server, the controller or the rules will refuse, before anything is sent. Without `step`: all of it. */
export function PlanProblems({ planning, step }: { planning: Planning; step?: PlanStep }) {
  const problems = planning.preview.reply?.problems ?? [];
  const shown = (step ? problemsIn(step, problems) : problems)
    // The lock has a note of its own.
    .filter(({ code }) => code !== 'namespaceLocked');
  return shown.map((problem) => <ProblemOfPlan key={problem.code} problem={problem} />);
}

function ProblemOfPlan({ problem }: { problem: PlanProblem }) {
  const t = useTranslations('upgrade-plan.problem');
  const faultText = useFaultText();
  const more = problem.count - problem.names.length;
  return (
    <Note tone="attention" title={t(`${problem.code}.title`, { count: problem.count, name: problem.names[0] ?? '' })}>
      <p>{t(`${problem.code}.text`)}</p>
      {problem.faults?.map((fault) => (
        <p key={fault.path + fault.code} className="wrap-anywhere">
          <SafeText text={faultText(fault)} />
        </p>
      ))}
      {problem.detail ? (
        <p className="mono">
          <SafeText text={problem.detail} />
        </p>
      ) : null}
      {problem.names.length > 0 ? (
        <p className="sm">
          {problem.names.map((name, index) => (
            <span key={name}>
              {index > 0 ? ', ' : null}
              <span className="mono">
                <SafeText text={name} />
              </span>
            </span>
          ))}
          {more > 0 ? ` ${t('more', { count: more })}` : null}
        </p>
      ) : null}
      {problem.weight === 'stops' ? <p className="b">{t('stops')}</p> : null}
    </Note>
  );
}
