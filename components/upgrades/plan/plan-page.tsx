'use client';

import Link from 'next/link';
import { parseAsString, useQueryStates } from 'nuqs';
import { useEffect, useState } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { ListTrouble, PageHead, useListState } from '../../common';
import { Skeleton } from '../../ui';
import { newDraft } from './draft';
import { openDraft } from './draft-store';
import { draftFrom, readHandedOver } from './handed-over';
import { PlanForm } from './plan-form';

const arrivals = {
  /** `namespace/name` of the pool whose claimed sandboxes it is about. */
  pool: parseAsString,
  /** Id of what another page handed over. */
  draft: parseAsString,
};

/** Plans one SandboxUpdateOps in four steps. What was typed stays in this browser until it is sent or discarded. */
export function PlanPage() {
  const t = useTranslations('upgrade-plan');
  const [{ pool, draft }, setArrival] = useQueryStates(arrivals, { history: 'replace' });
  const [lost, setLost] = useState(false);
  const state = useListState('sandboxes');
  const cluster = useLiveStatus().freshness?.cluster;
  // Drafts belong to one cluster: until it is known, none can be opened.
  if (!cluster) {
    return (
      <>
        <PageHead crumb={<Link href="/upgrades">{t('crumb')}</Link>} title={t('title')} />
        {state === 'loading' ? (
          <div className="p-[20px]">
            <Skeleton width={320} />
          </div>
        ) : (
          <ListTrouble kind="sandboxes" />
        )}
      </>
    );
  }
  const key = `${cluster.name} ${cluster.server}`;
  return pool === null && draft === null ? (
    <PlanForm key={key} cluster={cluster.name} storage={key} lost={lost} />
  ) : (
    <Arrival
      storage={key}
      pool={pool}
      draft={draft}
      onOpened={(found) => {
        setLost(!found);
        void setArrival({ pool: null, draft: null });
      }}
    />
  );
}

/** Takes in what the address asks for, once: a reload afterwards must not undo what was typed since. */
function Arrival(props: {
  storage: string;
  pool: string | null;
  draft: string | null;
  onOpened: (found: boolean) => void;
}) {
  const { storage, pool, draft, onOpened } = props;
  // External system: the browser's storage and its address.
  useEffect(() => {
    const now = Date.now();
    const handed = draft === null ? undefined : readHandedOver(draft);
    const [, ns, name] = /^([^/]+)\/(.+)$/.exec(pool ?? '') ?? [];
    if (handed) openDraft(storage, draftFrom(handed, now));
    else if (ns !== undefined && name !== undefined) openDraft(storage, newDraft(now, { namespace: ns, pool: name }));
    onOpened(handed !== undefined || name !== undefined);
  }, [storage, pool, draft, onOpened]);
  return null;
}
