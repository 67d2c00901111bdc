'use client';

import type { StepName, Task, TaskStep } from '@/lib/contracts/tasks';
import { useTranslations } from '@/lib/i18n/use-translations';
import { DwellMeter } from '../../common';
import { type Step, StepList } from '../../ui';

/** What a step usually takes much less than, ms. The run has the task's own limit. */
const usual = { warn: 1_000, breach: 5_000 };

/** Each step with how long it took, or takes. `now`: the server's clock. */
export function TaskSteps({ task, now }: { task: Task; now: number }) {
  const t = useTranslations('tasks.steps');
  const limitMs = task.request.timeLimitSeconds * 1_000;
  const limits = (name: StepName) => (name === 'run' ? { warn: limitMs / 2, breach: limitMs } : usual);
  const steps = task.steps.map((step): Step => {
    const ms = lasted(step, now);
    return {
      id: step.name,
      state: step.state,
      label: t(`name.${step.name}`),
      detail: (
        <>
          <span className="task-why">{why(step)}</span>
          {ms === undefined ? (
            <span className="dw dim">–</span>
          ) : (
            <DwellMeter ms={ms} limits={limits(step.name)} severity="calm" />
          )}
        </>
      ),
    };
  });
  return (
    <div className="task-steps">
      <StepList steps={steps} />
    </div>
  );

  function why({ name, state }: TaskStep): string {
    const { origin } = task.sandbox ?? {};
    const isKept = task.keptUntil !== undefined || (task.endedAt !== undefined && task.sandbox !== undefined);
    if (name === 'claim' && state === 'done' && origin !== undefined) return t(`origin.${origin}`);
    if (name === 'claim' && state === 'running') return t('claiming');
    if (name === 'write' && state !== 'skipped') {
      return ['task.py', ...task.request.files.map((file) => file.name)].join(', ');
    }
    if (name === 'run' && task.exitCode !== undefined) return t('exit', { code: task.exitCode });
    if (name === 'release' && state === 'skipped') return t(isKept ? 'kept' : 'nothing');
    return t(`why.${name}`);
  }
}

function lasted({ startedAt, endedAt, state }: TaskStep, now: number): number | undefined {
  if (startedAt === undefined) return undefined;
  if (endedAt === undefined && state !== 'running') return undefined;
  return Math.max(1, (endedAt ?? now) - startedAt);
}
