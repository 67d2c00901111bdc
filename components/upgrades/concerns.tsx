'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { objectHref } from '../shell/navigation';
import { Button, Command, Note } from '../ui';
import { upgradeHistory } from './queries';
import { GuardState } from './steer/guard-state';
import type { UpgradeFormState } from './steer/use-form';

/** What is odd about this operation, with what it means. */
export function Concerns({ upgrade: { op, view }, form }: { upgrade: Upgrade; form: UpgradeFormState }) {
  const t = useTranslations('upgrades.concern');
  const guard = useQuery(upgradeHistory(op)).data?.guard;
  const { holder } = view;
  const link = holder ? objectHref('upgrades', op.ns, holder.name) : '/upgrades';
  return (
    <>
      {view.phase === 'WaitingForOther' && holder ? (
        <Note tone="attention" title={t('waiting', { name: holder.name })}>
          {t.rich('waitingText', { a: (chunk) => <Link href={link}>{chunk}</Link> })}
        </Note>
      ) : null}
      {view.phase === 'DeletingWaits' && holder ? (
        <Note tone="attention" title={t('deletingWaits', { name: holder.name })}>
          {t.rich('deletingWaitsText', { a: (chunk) => <Link href={link}>{chunk}</Link> })}
        </Note>
      ) : null}
      {guard && (guard.state !== 'armed' || guard.unable) ? <GuardState guard={guard} /> : null}
      {view.concerns.map((concern) => (
        <Note key={concern} tone="attention" title={t(`${concern}.title`)}>
          <p>{t(`${concern}.text`)}</p>
          {concern === 'NeedsEdit' ? (
            <>
              <Command
                text={`kubectl -n ${op.ns} annotate suo/${op.name} console.agents.kruise.io/wake=1 --overwrite`}
              />
              <p>
                <Button size="sm" onClick={() => form.open('delete')}>
                  {t('delete')}
                </Button>
              </p>
            </>
          ) : null}
        </Note>
      ))}
    </>
  );
}
