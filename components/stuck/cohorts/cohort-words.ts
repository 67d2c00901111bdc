'use client';

import { useCallback } from 'react';
import type { Cohort } from '@/lib/domain/cohorts';
import { visibleText } from '@/lib/domain/text';
import { useTranslations } from '@/lib/i18n/use-translations';

/** A cohort in one line: `Image spec ≠ status · python-tools · worker-12`. */
export function useCohortName(): (cohort: Cohort) => string {
  const causes = useTranslations('domain.cause');
  const t = useTranslations('stuck');
  return useCallback(
    ({ cause, pool, ns, split }) =>
      [cause ? causes(cause) : t('noCause'), pool ?? ns, ...Object.values(split).filter((value) => value !== '')]
        .map((part) => visibleText(part, 'mark'))
        .join(' · '),
    [causes, t],
  );
}
