import type { Verdict } from '@/lib/domain/diagnosis/verdict';
import { verdictsText as textOf, type VerdictWords } from '@/lib/domain/diagnosis/verdict-text';
import diagnosis from '@/lib/i18n/messages/en/diagnosis.json';
import sandboxes from '@/lib/i18n/messages/en/sandboxes.json';

/** Sentences of the page, by code. */
const words: VerdictWords = { ...diagnosis, says: { ...sandboxes.says, ...diagnosis.says } };

/** Verdicts as text, the worst first; what is well takes one line. */
export const verdictsText = (verdicts: readonly Verdict[]): string => textOf(verdicts, words);
