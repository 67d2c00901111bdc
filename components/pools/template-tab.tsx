'use client';

import type { KubeObject } from '@/lib/contracts/objects';
import type { PoolRow } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';
import { CodePane } from '../common';
import { Note } from '../ui';
import { templateText } from './rollout-tab';

/** The Pod template that new members are made from. */
export function TemplateTab({ object, pool }: { object: KubeObject; pool: PoolRow }) {
  const t = useTranslations('pools.template');
  const text = templateText(object);
  if (text === undefined) {
    return (
      <div className="p-[20px]">
        <Note tone="unknown" title={pool.templateRef ? t('reference', { name: pool.templateRef }) : t('none')}>
          {pool.templateRef ? t('referenceText') : t('noneText')}
        </Note>
      </div>
    );
  }
  return <CodePane text={text} hint={t('hint')} copy={t('copy')} label={t('label', { name: pool.name })} />;
}
