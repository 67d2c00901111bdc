import { type Problem, type RefusalReason, refusalValues } from '@/lib/contracts/problem';
import { useTranslations } from '@/lib/i18n/use-translations';

type Told = Pick<Problem, 'message' | 'reason' | 'values'>;

const needed: Readonly<Record<RefusalReason, readonly string[]>> = refusalValues;

/** A problem in words: what the console refused in the page's language, the API server's own words as they are. */
export function useProblemText(): (told: Told) => string {
  const t = useTranslations('common.refusal');
  return ({ message, reason, values = {} }) =>
    reason && needed[reason].every((name) => name in values) ? t(reason, values) : message;
}
