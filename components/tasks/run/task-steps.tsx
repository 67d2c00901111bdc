'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { StepName, Task, TaskStep } from '@/lib/contracts/tasks';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRowByName } from '@/lib/live';
import { DwellMeter, SandboxState } from '../../common';
import { objectHref } from '../../shell/navigation';
import { type Step, StepList } from '../../ui';

/** What a step usually takes much less than, ms. The run has the task's own limit. */
const usual = { warn: 1_000, breach: 5_000 };

/** Each step with how long it took, or takes. `now`: the server's clock. */
export function TaskSteps({ task, now }: { task: Task; now: number }) {
  const t = useTranslations('tasks.steps');
  const f = useFormats();
  const limitMs = task.request.timeLimitSeconds * 1_000;
  const limits = (name: StepName) => (name === 'run' ? { warn: limitMs / 2, breach: limitMs } : usual);
  const steps = task.steps.map((step): Step => {
    const ms = lasted(step, now);
    return {
      id: step.name,
      ...markOf(step, task),
      label: t(`name.${step.name}`),
      detail: (
        <>
          {step.name === 'claim' && step.state === 'running' && task.pending ? (
            <Pending {...task.pending} />
          ) : (
            <span className="task-why">
              {step.name === 'claim' && task.sandbox?.name ? (
                <>
                  <Link className="mono" href={objectHref('sandboxes', task.pool.ns, task.sandbox.name)}>
                    {task.sandbox.name}
                  </Link>
                  {' · '}
                </>
              ) : null}
              {why(step)}
            </span>
          )}
          {ms === undefined ? (
            <span className="dw dim">–</span>
          ) : step.atMost ? (
            <span className="dw">{t('atMost', { time: f.duration(ms) })}</span>
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
    const { origin, goneAt } = task.sandbox ?? {};
    const isKept = task.keptUntil !== undefined || (task.endedAt !== undefined && task.sandbox !== undefined);
    if (name === 'claim' && state === 'done' && origin !== undefined) return t(`origin.${origin}`);
    if (name === 'claim' && state === 'running') return t('claiming');
    if (name === 'write' && state !== 'skipped') {
      return ['task.py', ...task.request.files.map((file) => file.name)].join(', ');
    }
    if (name === 'run' && task.exitCode !== undefined) return t('exit', { code: task.exitCode });
    if (name === 'release' && state === 'skipped' && goneAt !== undefined) return t('gone');
    if (name === 'release' && state === 'skipped') return t(isKept ? 'kept' : 'nothing');
    return t(`why.${name}`);
  }
}

/** What somebody stopped has not failed; code that ended with another exit code than 0 has. */
function markOf({ name, state }: TaskStep, { state: of, exitCode = 0 }: Task): Pick<Step, 'state' | 'isCalm'> {
  if (state === 'failed' && of === 'cancelled' && name !== 'release') return { state: 'stopped' };
  return state === 'done' && name === 'run' && exitCode !== 0 ? { state: 'failed', isCalm: true } : { state };
}

/** The sandbox that the claim waits for, and what holds it up. */
function Pending({ ns, name }: { ns: string; name: string }) {
  const t = useTranslations('tasks.steps');
  const causes = useTranslations('domain.cause');
  const row = useRowByName('sandboxes', ns, name);
  const a = (chunk: ReactNode) => (
    <Link className="mono" href={objectHref('sandboxes', ns, name)}>
      {chunk}
    </Link>
  );
  return (
    <span className="wrap-any">
      {t.rich('making', { name, a })} {row ? <SandboxState row={row} /> : null}{' '}
      {row?.cause ? causes(row.cause.code) : null}
    </span>
  );
}

function lasted({ startedAt, endedAt, state }: TaskStep, now: number): number | undefined {
  if (startedAt === undefined) return undefined;
  if (endedAt === undefined && state !== 'running') return undefined;
  return Math.max(1, (endedAt ?? now) - startedAt);
}
