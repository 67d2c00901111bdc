'use client';

import type { PlanProblem } from '@/lib/contracts/upgrade-preview';
import { imageUnderCheckpoint } from '@/lib/domain/upgrades/plan-problems';
import { useTranslations } from '@/lib/i18n/use-translations';
import { RadioList } from '../../ui';
import type { Planning } from './planning';

const checkpointProblems = [
  'noCheckpointKind',
  'noCheckpointController',
  'checkpointWaits',
  'checkpointsUnknown',
] as const satisfies readonly PlanProblem['code'][];

/** How the Pods are replaced, and what each way loses. */
export function StrategyField({ planning: { form, edit, patch, preview } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.safety');
  const problemText = useTranslations('upgrade-plan.problem');
  const problems = preview.reply?.problems ?? [];
  const image = patch && imageUnderCheckpoint(patch);
  const unanswered = checkpointProblems.find((wanted) => problems.some(({ code }) => code === wanted));
  const chosen = form.strategy === 'CheckpointRestore';
  return (
    <RadioList
      label={t('strategy')}
      value={form.strategy}
      options={[
        { value: 'Recreate', label: 'Recreate', hint: t('recreate') },
        {
          value: 'CheckpointRestore',
          label: 'CheckpointRestore',
          hint: t('checkpoint'),
          error: chosen
            ? image
              ? t('checkpointImage', { names: image.containers.join(', ') })
              : unanswered
                ? problemText(`${unanswered}.title`)
                : undefined
            : undefined,
        },
      ]}
      onChange={(strategy) => edit({ strategy })}
    />
  );
}
