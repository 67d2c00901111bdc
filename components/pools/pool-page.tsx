'use client';

import { FilePen, Scaling } from 'lucide-react';
import Link from 'next/link';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useState } from 'react';
import type { PoolView } from '@/lib/domain/pool-views';
import { useTranslations } from '@/lib/i18n/use-translations';
import {
  FailedState,
  ForbiddenState,
  ListTrouble,
  PageHead,
  SafeText,
  StaleBanner,
  useListState,
  useObject,
} from '../common';
import { EventsTab } from '../sandboxes/detail/events-tab';
import { YamlTab } from '../sandboxes/detail/yaml-tab';
import { Button, Skeleton, Tabs } from '../ui';
import { MembersTab } from './members-tab';
import { PoolIssueNotes } from './pool-issues';
import { PoolStrip } from './pool-strip';
import { RolloutTab } from './rollout-tab';
import { ScaleDrawer } from './scale-drawer';
import { TemplateDrawer } from './template-drawer';
import { TemplateTab } from './template-tab';
import { usePoolViews } from './use-pool-views';

const tabs = ['inventory', 'claimed', 'rollout', 'template', 'events', 'yaml'] as const;

/** Everything the console knows of one pool. */
export function PoolPage({ ns, name }: { ns: string; name: string }) {
  const t = useTranslations('pools.detail');
  const view = usePoolViews().find(({ pool }) => pool.ns === ns && pool.name === name);
  const state = useListState('sandboxsets');
  const crumb = <Link href="/pools">{t('crumb')}</Link>;
  if (view) return <Known view={view} crumb={crumb} />;
  return (
    <>
      <PageHead crumb={crumb} title={<SafeText text={name} />} sub={ns} />
      {state === 'loading' ? (
        <div className="p-[20px]">
          <Skeleton width={320} />
        </div>
      ) : null}
      {state === 'ready' ? (
        <div className="blank">
          <h3>{t('missing', { name, ns })}</h3>
          <p>{t('missingText')}</p>
        </div>
      ) : (
        <ListTrouble kind="sandboxsets" />
      )}
    </>
  );
}

function Known({ view, crumb }: { view: PoolView; crumb: React.ReactNode }) {
  const t = useTranslations('pools.detail');
  const ta = useTranslations('pools.action');
  const { pool, stats } = view;
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(tabs).withDefault('inventory'));
  const [open, setOpen] = useState<'scale' | 'template'>();
  const query = useObject('sandboxsets', pool, `${pool.uid}/${pool.gen}/${pool.obs}`);
  const reply = query.data?.object.metadata.uid === pool.uid ? query.data : undefined;
  const problem = query.error?.problem;
  const idle = stats.available + stats.creating + stats.terminating + stats.dead;
  const waiting =
    problem?.code === 'forbidden' ? (
      <ForbiddenState kind="sandboxsets" reason={problem.message} />
    ) : problem ? (
      <FailedState problem={problem} onRetry={() => void query.refetch()} />
    ) : (
      <div className="p-[20px]">
        <Skeleton width={320} />
      </div>
    );

  return (
    <>
      <PageHead
        crumb={crumb}
        title={<SafeText text={pool.name} />}
        sub={pool.deleting === undefined ? pool.ns : `${pool.ns} · ${t('deleting')}`}
        actions={
          <>
            <Button variant="primary" icon={Scaling} onClick={() => setOpen('scale')}>
              {ta('scale')}
            </Button>
            <Button icon={FilePen} onClick={() => setOpen('template')}>
              {ta('template')}
            </Button>
          </>
        }
      />
      <StaleBanner />
      <PoolStrip view={view} />
      <div className="grid gap-2 px-[var(--gutter)] pb-3 empty:hidden">
        <PoolIssueNotes issues={view.issues} />
      </div>
      <Tabs
        label={t('tabs.label')}
        value={tab}
        onChange={(next) => void setTab(next)}
        items={[
          {
            value: 'inventory',
            label: t('tabs.inventory', { count: idle }),
            content: <MembersTab pool={pool} which="idle" />,
          },
          {
            value: 'claimed',
            label: t('tabs.claimed', { count: stats.claimed }),
            content: <MembersTab pool={pool} which="claimed" />,
          },
          { value: 'rollout', label: t('tabs.rollout'), content: <RolloutTab view={view} reply={reply} /> },
          {
            value: 'template',
            label: t('tabs.template'),
            content: reply ? <TemplateTab object={reply.object} pool={pool} /> : waiting,
          },
          {
            value: 'events',
            label: t('tabs.events'),
            content: reply ? <EventsTab reply={reply} row={undefined} /> : waiting,
          },
          {
            value: 'yaml',
            label: 'YAML',
            content: reply ? <YamlTab object={reply.object} name={pool.name} /> : waiting,
          },
        ]}
      />
      <ScaleDrawer pool={pool} open={open === 'scale'} onOpenChange={(is) => setOpen(is ? 'scale' : undefined)} />
      <TemplateDrawer
        pool={pool}
        open={open === 'template'}
        onOpenChange={(is) => setOpen(is ? 'template' : undefined)}
      />
    </>
  );
}
