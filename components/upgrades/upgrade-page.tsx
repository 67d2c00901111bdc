'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { StoppedClock } from '@/lib/live';
import { ListTrouble, PageHead, SafeText, useListState } from '../common';
import { Skeleton } from '../ui';
import { OperationView } from './operation-view';
import { useOperation } from './use-operation';

/** One SandboxUpdateOps: how far each sandbox is, and what holds it up. It stays, with its last facts, when it is deleted. */
export function UpgradePage({ ns, name }: { ns: string; name: string }) {
  const t = useTranslations('upgrades.detail');
  const { kept, upgrade } = useOperation(ns, name);
  const state = useListState('sandboxupdateops');
  const crumb: ReactNode = <Link href="/upgrades">{t('crumb')}</Link>;
  if (upgrade) {
    return (
      <StoppedClock value={kept.goneAt}>
        <OperationView key={upgrade.op.uid} upgrade={upgrade} kept={kept} crumb={crumb} />
      </StoppedClock>
    );
  }
  return (
    <>
      <PageHead crumb={crumb} title={<SafeText text={name} />} sub={ns} />
      {state === 'loading' ? (
        <div className="p-[20px]">
          <Skeleton width={320} />
        </div>
      ) : state === 'ready' ? (
        <div className="blank">
          <h3>{t('missing', { name, ns })}</h3>
          <p>{t('missingText')}</p>
        </div>
      ) : (
        <ListTrouble kind="sandboxupdateops" />
      )}
    </>
  );
}
