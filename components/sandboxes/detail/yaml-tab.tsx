'use client';

import { useMemo } from 'react';
import { stringify } from 'yaml';
import { CodePane } from '@/components/common';
import type { KubeObject } from '@/lib/contracts/objects';
import { useTranslations } from '@/lib/i18n/use-translations';

/** The object as the cluster has it, without secrets and managed fields. Read only. */
export function YamlTab({ object, name }: { object: KubeObject; name: string }) {
  const t = useTranslations('sandboxes.yaml');
  const text = useMemo(() => stringify(object, { lineWidth: 0 }).trimEnd(), [object]);
  return <CodePane text={text} hint={t('hint')} copy={t('copy')} label={t('label', { name })} />;
}
