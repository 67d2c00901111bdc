'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { Button, Note } from '../../ui';
import { hookDraft } from './draft';
import type { Planning } from './planning';

/** Hooks of an operation that is undone: they are not copied, and each can be added. */
export function LeftOutHooks({ planning: { form, edit } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.hook.leftOut');
  const { origin } = form;
  if (form.changeBy !== 'restore' || origin?.as !== 'rollBack') return null;
  const hooks = (['preUpgrade', 'postUpgrade'] as const).flatMap((which) => {
    const hook = origin.hooks[which];
    return hook && !form[which].on ? [{ which, hook }] : [];
  });
  if (hooks.length === 0) return null;
  return (
    <Note tone="unknown" title={t('title', { operation: origin.operation })}>
      <p>{t('text')}</p>
      {hooks.map(({ which, hook }) => (
        <p key={which} className="wrap-anywhere">
          {which}:{' '}
          <span className="mono">
            <SafeText text={hook.command.join(' ')} />
          </span>{' '}
          <Button size="sm" onClick={() => edit({ [which]: hookDraft(hook) })}>
            {t('take', { hook: which })}
          </Button>
        </p>
      ))}
    </Note>
  );
}
