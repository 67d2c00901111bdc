import type { StepCode } from '@/lib/domain/diagnosis/steps';
import { useTranslations } from '@/lib/i18n/use-translations';

const byHand = ['ForceDeletePod', 'ReleasePodFinalizer', 'RemoveLock'] as const;
const isByHand = (code: StepCode): code is (typeof byHand)[number] => byHand.some((each) => each === code);

/** Why the console leaves a step that may lose what it cannot see to a terminal, and what that is; undefined for all others. */
export function useByHand(): (code: StepCode) => string | undefined {
  const t = useTranslations('sandboxes.actions.byHand');
  return (code) => (isByHand(code) ? t(code) : undefined);
}
