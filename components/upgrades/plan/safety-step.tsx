'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { Check, TextField } from '../../ui';
import { BatchFacts } from './batch-facts';
import { HookFields } from './hook-fields';
import { LeftOutHooks } from './left-out-hooks';
import { PlanProblems } from './plan-problems';
import type { Planning } from './planning';
import { StepFrame } from './step-frame';
import { StrategyField } from './strategy-field';
import { hasGuard } from './use-missing-rights';

/** How it is done: what is lost, how many at once, which hooks run, and what stops it. */
export function SafetyStep({ planning }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.safety');
  const { form, edit, faultOf } = planning;
  const states = faultOf('states');
  return (
    <StepFrame planning={planning} step="safety">
      <section className="plan-pane" aria-label={t('label')}>
        <StrategyField planning={planning} />
        <TextField
          label={t('maxUnavailable')}
          hint={t('maxUnavailableHint')}
          error={faultOf('maxUnavailable')}
          value={form.maxUnavailable}
          onChange={(maxUnavailable) => edit({ maxUnavailable })}
          className="plan-short"
        />
        <fieldset className="plan-set" aria-describedby={states ? 'plan-states-error' : undefined}>
          <legend>{t('states')}</legend>
          <Check label={t('running')} checked={form.running} onChange={(running) => edit({ running })} />
          <Check
            label={t('paused')}
            hint={t('pausedHint')}
            checked={form.paused}
            onChange={(paused) => edit({ paused })}
          />
          {states ? (
            <p className="ferr" id="plan-states-error">
              {states}
            </p>
          ) : null}
        </fieldset>
        <LeftOutHooks planning={planning} />
        <HookFields planning={planning} which="preUpgrade" />
        <HookFields planning={planning} which="postUpgrade" />
        <Guard planning={planning} />
        <fieldset className="plan-set">
          <legend>{t('start')}</legend>
          <Check
            label={t('startPaused')}
            hint={t('startPausedHint')}
            checked={form.startPaused}
            onChange={(startPaused) => edit({ startPaused })}
          />
        </fieldset>
      </section>
      <section className="plan-pane" aria-label={t('effects')}>
        <BatchFacts planning={planning} />
        <PlanProblems planning={planning} step="safety" />
      </section>
    </StepFrame>
  );
}

/** When the console's server pauses the operation by itself. */
function Guard({ planning: { form, edit, faultOf, missing } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.safety');
  const denied = missing.find(({ what }) => what === 'pause');
  return (
    <fieldset className="plan-set">
      <legend>{t('guard')}</legend>
      <p className="fhint">{t('guardHint')}</p>
      <div className="plan-pair">
        <TextField
          label={t('guardFailures')}
          placeholder={t('off')}
          inputMode="numeric"
          error={faultOf('guardFailures')}
          value={form.guardFailures}
          onChange={(guardFailures) => edit({ guardFailures })}
        />
        <TextField
          label={t('guardRate')}
          placeholder={t('off')}
          inputMode="numeric"
          error={faultOf('guardRate')}
          hint={t('guardRateHint')}
          value={form.guardRate}
          onChange={(guardRate) => edit({ guardRate })}
        />
      </div>
      {denied ? (
        <p className={hasGuard(form) ? 'ferr' : 'fhint'} role="status">
          {t(hasGuard(form) ? 'guardDeniedSet' : 'guardDenied', denied.right)}
        </p>
      ) : null}
    </fieldset>
  );
}
