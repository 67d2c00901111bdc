import type { FindingCode } from '@/lib/domain/diagnosis/codes';
import type { StepCode } from '@/lib/domain/diagnosis/steps';
import { useTranslations } from '@/lib/i18n/use-translations';

/** Causes of which it is known why a Pod less, or another one, changes nothing. */
const another = [
  'InitImageMismatch',
  'Unschedulable',
  'ImagePull',
  'CrashLoop',
  'OldPodTerminating',
  'NodeNotReady',
  'HookFailed',
  'UpgradePodFailed',
  'CheckpointPending',
] as const;
const isAnother = (code: FindingCode): code is (typeof another)[number] => another.some((each) => each === code);

const ended: ReadonlySet<FindingCode> = new Set(['PodNotFound', 'PodEnded']);

/** Why a step that a verdict calls useless cannot help against its cause, for beside the action; undefined where no reason is known. */
export function useCannotHelp(): (code: StepCode, cause: FindingCode) => string | undefined {
  const t = useTranslations('sandboxes.actions.cannotHelp');
  return (code, cause) => {
    if (code === 'DeletePod') return isAnother(cause) ? t(`DeletePod.${cause}`) : undefined;
    if (code === 'PauseAgain') return t(ended.has(cause) ? 'PauseAgain.ended' : 'PauseAgain.waking');
    return code === 'NewTemplateAlone' && cause === 'InitImageMismatch'
      ? t('NewTemplateAlone')
      : code === 'ExtendShutdown' && ended.has(cause)
        ? t('ExtendShutdown')
        : undefined;
  };
}
