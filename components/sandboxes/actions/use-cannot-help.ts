import type { StepCode } from '@/lib/domain/diagnosis/steps';
import { useTranslations } from '@/lib/i18n/use-translations';

const useless = ['DeletePod', 'PauseAgain', 'NewTemplateAlone', 'ExtendShutdown'] as const;
type Useless = (typeof useless)[number];
const isKnown = (code: StepCode): code is Useless => (useless as readonly StepCode[]).includes(code);

/** Why a step that a verdict calls useless cannot help, for beside the action; undefined: nothing is known against it. */
export function useCannotHelp(): (code: StepCode) => string | undefined {
  const t = useTranslations('sandboxes.actions.cannotHelp');
  return (code) => (isKnown(code) ? t(code) : undefined);
}
