'use client';

import { useMemo } from 'react';
import { stringify } from 'yaml';
import { CodeBlock, CopyButton } from '@/components/ui';
import type { KubeObject } from '@/lib/contracts/objects';
import { visibleText } from '@/lib/domain/text';
import { useTranslations } from '@/lib/i18n/use-translations';

/** The object as the cluster has it, without secrets and managed fields. Read only. */
export function YamlTab({ object, name }: { object: KubeObject; name: string }) {
  const t = useTranslations('sandboxes.yaml');
  const text = useMemo(() => stringify(object, { lineWidth: 0 }).trimEnd(), [object]);
  return (
    <>
      <div className="row px-[var(--gutter)] py-2">
        <span className="sm dim">{t('hint')}</span>
        <span className="end">
          <CopyButton text={text} label={t('copy')}>
            {t('copy')}
          </CopyButton>
        </span>
      </div>
      <CodeBlock text={visibleText(text)} label={t('label', { name })} />
    </>
  );
}
