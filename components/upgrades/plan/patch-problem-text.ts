import { useCallback } from 'react';
import type { PatchTextProblem } from '@/lib/domain/upgrades/patch-yaml';
import { useTranslations } from '@/lib/i18n/use-translations';

/** A problem of a patch's text as a sentence; the parser's words where there are no others. */
export function usePatchProblemText(): (problem: PatchTextProblem) => string {
  const t = useTranslations('upgrade-plan.patchProblem');
  return useCallback(({ code, message, path }) => t(code, { message, path: path || 'patch' }), [t]);
}
