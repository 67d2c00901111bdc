'use client';

import { useMemo } from 'react';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { KubeObject } from '@/lib/contracts/objects';
import { defaultHookTimeoutSeconds } from '@/lib/domain/sandbox-asks';
import { visibleText } from '@/lib/domain/text';
import type { Upgrade } from '@/lib/domain/upgrade-views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { KeyValues, SafeText, SectionHead } from '../common';
import { CodeBlock } from '../ui';

const hook = z
  .looseObject({
    exec: z.looseObject({ command: z.array(z.string()).optional() }).optional(),
    timeoutSeconds: z.number().optional(),
  })
  .optional();
const upgradeSpec = z.looseObject({
  patch: z.unknown(),
  lifecycle: z.looseObject({ preUpgrade: hook, postUpgrade: hook }).optional(),
});

/** What the operation changes, and under which rules. */
export function Settings({ upgrade: { op, view }, object }: { upgrade: Upgrade; object: KubeObject | undefined }) {
  const t = useTranslations('upgrades.settings');
  const spec = useMemo(() => upgradeSpec.safeParse(object?.spec).data, [object]);
  const patch = useMemo(
    () => (spec?.patch === undefined ? undefined : visibleText(stringify(spec.patch, { lineWidth: 0 }).trimEnd())),
    [spec],
  );
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
    <div className="split">
      <section>
        <SectionHead title={t('change')} hint={t('changeHint')} />
        {patch === undefined ? (
          <p className="more">{object && !op.hasPatch ? t('noPatch') : '–'}</p>
        ) : (
          <CodeBlock text={patch} label={t('change')} />
        )}
      </section>
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
            { label: t('states'), value: op.states?.join(', ') ?? t('statesDefault') },
            { label: 'preUpgrade', value: hookText('preUpgrade') },
            { label: 'postUpgrade', value: hookText('postUpgrade') },
          ]}
        />
        <p className="more">{t('countsHint')}</p>
      </section>
    </div>
  );
}
