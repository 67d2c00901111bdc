'use client';

import { defaultHookTimeoutSeconds } from '@/lib/domain/sandbox-asks';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Check, Segmented, TextArea, TextField } from '../../ui';
import type { HookDraft } from './draft';
import type { Planning } from './planning';

/** A command that runs inside each sandbox before its Pod is replaced, or after. */
export function HookFields({ planning, which }: { planning: Planning; which: 'preUpgrade' | 'postUpgrade' }) {
  const t = useTranslations('upgrade-plan.hook');
  const { form, edit, faultOf, preview } = planning;
  const hook = form[which];
  const set = (part: Partial<HookDraft>) => edit({ [which]: { ...hook, ...part } });
  const short = which === 'preUpgrade' ? 'pre' : 'post';
  const lacking = preview.reply?.targets.filter(({ noRuntime }) => noRuntime).length ?? 0;
  return (
    <fieldset className="plan-set">
      <legend>{which}</legend>
      <Check label={t(`${which}.on`)} hint={t(`${which}.hint`)} checked={hook.on} onChange={(on) => set({ on })} />
      {hook.on ? (
        <div className="plan-sub">
          <Segmented
            label={t('kind')}
            value={hook.kind}
            options={[
              { value: 'shell', label: t('shell') },
              { value: 'argv', label: t('argv') },
            ]}
            onChange={(kind) => set({ kind })}
          />
          <TextArea
            label={t('command', { hook: which })}
            hint={hook.kind === 'shell' ? t('shellHint') : t('argvHint')}
            error={faultOf(`${short}Command`)}
            rows={hook.kind === 'shell' ? 2 : 4}
            mono
            value={hook.command}
            onChange={(command) => set({ command })}
          />
          <TextField
            label={t('timeout', { hook: which })}
            hint={t('timeoutHint', { seconds: defaultHookTimeoutSeconds })}
            error={faultOf(`${short}Timeout`)}
            placeholder={String(defaultHookTimeoutSeconds)}
            inputMode="numeric"
            className="plan-short"
            value={hook.timeout}
            onChange={(timeout) => set({ timeout })}
          />
          {lacking > 0 ? <p className="ferr">{t('noRuntime', { count: lacking })}</p> : null}
        </div>
      ) : null}
    </fieldset>
  );
}
