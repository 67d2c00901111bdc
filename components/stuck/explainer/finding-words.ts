'use client';

import { type CauseCode, causeCodes } from '@/lib/contracts/rows';
import type { FindingCode } from '@/lib/domain/diagnosis/codes';
import type { Step } from '@/lib/domain/diagnosis/steps';
import type { Finding } from '@/lib/domain/diagnosis/verdict';
import { visibleText } from '@/lib/domain/text';
import { useTranslations } from '@/lib/i18n/use-translations';

const isCause = (code: FindingCode): code is CauseCode => (causeCodes as readonly string[]).includes(code);
const titled = ['RuntimeTemplateMissing', 'PastShutdown'] as const;
const isTitled = (code: FindingCode): code is (typeof titled)[number] => (titled as readonly string[]).includes(code);

/** A finding in a few words; its code where the page has none. */
export function useFindingTitle(): (finding: Pick<Finding, 'code' | 'never'>) => string {
  const causes = useTranslations('domain.cause');
  const t = useTranslations('stuck');
  return ({ code, never }) => {
    if (never && code === 'InitImageMismatch') return t('reading.never');
    if (isCause(code)) return causes(code);
    return isTitled(code) ? t(`titles.${code}`) : code;
  };
}

/** A finding in a sentence, the same that `npm run explain` prints. */
export function useFindingSentence(): (finding: Pick<Finding, 'code' | 'never'>) => string {
  const ofRows = useTranslations('sandboxes.says');
  const more = useTranslations('diagnosis.says');
  const t = useTranslations('stuck.reading');
  return ({ code, never }) => {
    if (code === 'InitImageMismatch') return never ? t('neverText') : ofRows('InitImageMismatch');
    return isCause(code) ? ofRows(code) : more(code);
  };
}

/** What a step is, in words; names of objects with hidden characters made visible. */
export function useStepText(): (step: Pick<Step, 'code' | 'values'>) => string {
  const t = useTranslations('diagnosis.step');
  return ({ code, values }) =>
    t(code, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, visibleText(value, 'mark')])));
}
