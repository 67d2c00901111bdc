'use client';

import { Ban, Check, CircleDashed, Minus, OctagonX, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Icon, type Tone } from './icon';
import { Spinner } from './spinner';

export type StepState = 'todo' | 'running' | 'done' | 'failed' | 'stopped' | 'skipped';
/** `isCalm`: a failure that is nobody's alarm. */
export type Step = { id: string; state: StepState; label: ReactNode; detail?: ReactNode; isCalm?: boolean };

const marks: Record<Exclude<StepState, 'running'>, { icon: typeof Check; tone?: Tone }> = {
  todo: { icon: CircleDashed },
  done: { icon: Check, tone: 'ok' },
  failed: { icon: OctagonX, tone: 'breach' },
  /** On request, which is no failure. */
  stopped: { icon: Ban },
  skipped: { icon: Minus },
};

const calm = { icon: X, tone: 'unknown' } as const;

/** Steps in order, each with what came of it. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  const t = useTranslations('common.step');
  return (
    <ol className="steps">
      {steps.map((step) => (
        <li key={step.id} className="stp" data-state={step.state} data-calm={step.isCalm}>
          {step.state === 'running' ? <Spinner /> : <Icon {...(step.isCalm ? calm : marks[step.state])} />}
          <span>
            {step.label}
            <span className="vh"> {t(step.state)}</span>
          </span>
          {step.detail ? <span className="x">{step.detail}</span> : null}
        </li>
      ))}
    </ol>
  );
}
