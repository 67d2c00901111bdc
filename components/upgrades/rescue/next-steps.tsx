'use client';

import { useRouter } from 'next/navigation';
import type { FailureGroup } from '@/lib/domain/upgrades/failure-groups';
import type { OperationReading } from '@/lib/domain/upgrades/operation-reading';
import { nextSteps, type RescueStep } from '@/lib/domain/upgrades/rescue';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button } from '../../ui';
import { planUpgrade } from '../plan/hand-over';
import type { UpgradeFormState } from '../steer/use-form';

/** What helps a group, the one with the least loss first. A plan is opened filled in; nothing is sent from here. */
export function NextSteps(props: {
  upgrade: Upgrade;
  group: FailureGroup;
  reading: OperationReading | undefined;
  form: UpgradeFormState;
}) {
  const { upgrade, group, reading, form } = props;
  const t = useTranslations('upgrades.rescue');
  const f = useFormats();
  const router = useRouter();
  if (!reading) return null;
  const steps = nextSteps(reading, group);
  const origin = { as: 'troubled' as const, operation: upgrade.op.name, reason: group.reason };
  const planned = steps.some(({ draft }) => draft !== undefined);
  return (
    <>
      <ol className="up-steps">
        {steps.map((step) => (
          <li key={step.kind}>
            <div className="min-w-0">
              <span>{t(`step.${step.kind}`)}</span>
              {step.correct.length > 0 ? (
                <span className="mut">
                  {' '}
                  {t(group.failed ? 'correct' : 'correctHeld', { what: f.list(step.correct) })}
                </span>
              ) : null}
            </div>
            {buttonOf(step)}
          </li>
        ))}
      </ol>
      {planned && isActive(upgrade.op) && upgrade.op.goneAt === undefined ? (
        <p className="sm mut">
          {t('endFirst')}{' '}
          <Button size="sm" variant="quiet" onClick={() => form.open('delete')}>
            {t('end')}
          </Button>
        </p>
      ) : null}
    </>
  );

  function buttonOf({ kind, draft }: RescueStep) {
    if (kind === 'continueOperation') {
      if (upgrade.op.goneAt !== undefined) return null;
      return (
        <Button size="sm" onClick={() => form.open('continue')}>
          {t('continue')}
        </Button>
      );
    }
    if (!draft) return null;
    return (
      <Button size="sm" onClick={() => router.push(planUpgrade({ ...draft, origin }))}>
        {t('plan', { count: group.sandboxes.length })}
      </Button>
    );
  }
}
