'use client';

import Link from 'next/link';
import { type ReactNode, useMemo } from 'react';
import { upgradeViews } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { StoppedClock, useNow, useRows } from '@/lib/live';
import { ListTrouble, PageHead, SafeText, useListState } from '../common';
import { useKept } from '../sandboxes/use-kept-row';
import { Skeleton } from '../ui';
import { OperationView } from './operation-view';

/** One SandboxUpdateOps: how far each sandbox is, and what holds it up. It stays, with its last facts, when it is deleted. */
export function UpgradePage({ ns, name }: { ns: string; name: string }) {
  const t = useTranslations('upgrades.detail');
  const kept = useKept('sandboxupdateops', ns, name);
  const ops = useRows('sandboxupdateops');
  const sandboxes = useRows('sandboxes');
  const now = useNow(5_000);
  const { row } = kept;
  const upgrade = useMemo(() => {
    if (!row) return undefined;
    const others = ops.filter((op) => op.ns === ns && op.uid !== row.uid);
    return upgradeViews([row, ...others], sandboxes, now)[0];
  }, [row, ops, sandboxes, ns, now]);
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
