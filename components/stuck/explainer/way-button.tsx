'use client';

import { Button, ButtonLink } from '@/components/ui';
import type { KubeObject } from '@/lib/contracts/objects';
import type { PoolRow, SandboxRow } from '@/lib/contracts/rows';
import type { Step } from '@/lib/domain/diagnosis/steps';
import { actionOfStep } from '@/lib/domain/sandbox-actions';
import { useTranslations } from '@/lib/i18n/use-translations';
import { ActionButton, useRetagPool } from '../../sandboxes/actions';
import { upgradePath } from '../../sandboxes/paths';

/** The button of a step that the console can do itself; nothing for one that is done elsewhere. */
export function StepButton({
  step,
  pool,
  row,
  object,
}: {
  step: Step;
  pool: PoolRow | undefined;
  row: SandboxRow;
  object: KubeObject | undefined;
}) {
  const t = useTranslations('stuck.ways');
  const retag = useRetagPool();
  const action = actionOfStep(step.code);
  if (step.code === 'ContinueOperation' && row.op !== undefined) {
    return (
      <ButtonLink size="sm" href={`${upgradePath(row.ns, row.op)}?form=continue`}>
        {t('continueOperation')}
      </ButtonLink>
    );
  }
  if (step.code === 'WaitForOperation' && step.values.operation !== undefined) {
    return (
      <ButtonLink size="sm" href={upgradePath(row.ns, step.values.operation)}>
        {t('openOperation')}
      </ButtonLink>
    );
  }
  if (action === undefined) return null;
  if (action !== 'retagPool') return <ActionButton action={action} row={row} object={object} size="sm" />;
  if (!pool) return null;
  return (
    <Button size="sm" onClick={() => retag(pool)}>
      {t('retagPool')}
    </Button>
  );
}
