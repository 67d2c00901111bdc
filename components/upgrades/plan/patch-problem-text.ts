import { useCallback } from 'react';
import type { PatchFault } from '@/lib/contracts/patch-fault';
import type { PatchTextProblem } from '@/lib/domain/upgrades/patch-yaml';
import { useTranslations } from '@/lib/i18n/use-translations';

/** A fault of a patch, or of the Pod that comes of it, as a sentence that begins with its place. */
export function useFaultText(): (fault: PatchFault) => string {
  const t = useTranslations('upgrade-plan.patchFault');
  const problem = useTranslations('upgrade-plan.patchProblem');
  return useCallback(
    ({ code, path, values }) => {
      const text = t(code, values);
      return path === '' ? text : problem('fault', { path, text });
    },
    [t, problem],
  );
}

/** A problem of a patch's text as a sentence, without its line. */
export function usePatchProblemText(): (problem: PatchTextProblem) => string {
  const t = useTranslations('upgrade-plan.patchProblem');
  const yaml = useTranslations('writes.template.yamlProblem');
  const faultText = useFaultText();
  return useCallback(
    (problem) => {
      if (problem.code === 'yaml')
        return yaml(problem.fault.code, { field: problem.fault.field, got: problem.fault.got });
      if (problem.code === 'patch') return faultText(problem.fault);
      return t(problem.code, problem.code === 'manifest' ? { kind: problem.kind } : {});
    },
    [t, yaml, faultText],
  );
}
