'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod';
import type { KubeObject } from '@/lib/contracts/objects';
import { defaultHookTimeoutSeconds } from '@/lib/domain/sandbox-asks';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { KeyValues, SafeText, SectionHead } from '../common';
import { Button } from '../ui';
import { upgradeHistory } from './queries';
import { GuardState } from './steer/guard-state';
import type { UpgradeFormState } from './steer/use-form';

const hook = z
  .looseObject({
    exec: z.looseObject({ command: z.array(z.string()).optional() }).optional(),
    timeoutSeconds: z.number().optional(),
  })
  .optional();
const upgradeSpec = z.looseObject({
  lifecycle: z.looseObject({ preUpgrade: hook, postUpgrade: hook }).optional(),
});

/** The rules an operation works under, and what the console does to it by itself. */
export function Settings({
  upgrade: { op, view },
  object,
  form,
}: {
  upgrade: Upgrade;
  object: KubeObject | undefined;
  form: UpgradeFormState;
}) {
  const t = useTranslations('upgrades.settings');
  const f = useFormats();
  const states = useTranslations('domain.state');
  const stateText = (state: string) => (state === 'Running' || state === 'Paused' ? states(state) : state);
  const guard = useQuery(upgradeHistory(op)).data?.guard;
  const spec = useMemo(() => upgradeSpec.safeParse(object?.spec).data, [object]);
  const hookText = (which: 'preUpgrade' | 'postUpgrade') => {
    const set = spec?.lifecycle?.[which];
    if (!set) return undefined;
    return (
      <>
        <span className="mono">
          <SafeText text={set.exec?.command?.join(' ') ?? '–'} />
        </span>{' '}
        <span className="dim">{t('timeout', { seconds: set.timeoutSeconds ?? defaultHookTimeoutSeconds })}</span>
      </>
    );
  };
  return (
    <section className="told">
      <SectionHead title={t('title')} />
      <KeyValues
        items={[
          { label: t('selector'), value: op.selector === '' ? t('everything') : op.selector, mono: true },
          { label: t('strategy'), value: op.strategy },
          {
            label: 'maxUnavailable',
            value: t('maxValue', { value: String(op.maxUnavailable ?? 1), limit: view.limit, total: view.total }),
          },
          { label: t('states'), value: op.states ? f.list(op.states.map(stateText)) : t('statesDefault') },
          { label: 'preUpgrade', value: hookText('preUpgrade') },
          { label: 'postUpgrade', value: hookText('postUpgrade') },
        ]}
      />
      <p className="more">{t('fixedHint')}</p>
      <p className="more">{t('countsHint')}</p>
      <SectionHead
        title={t('guard')}
        end={
          isActive(op) ? (
            <Button size="sm" onClick={() => form.open('guard')}>
              {guard ? t('guardChange') : t('guardSet')}
            </Button>
          ) : undefined
        }
      />
      <div className="px-[var(--gutter)] pb-3">
        {guard === undefined ? <p className="mut">{t('guardUnknown')}</p> : <GuardState guard={guard} />}
      </div>
    </section>
  );
}
