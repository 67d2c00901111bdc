'use client';

import { useQuery } from '@tanstack/react-query';
import { CircleArrowUp, FilePen, Scaling, SquareTerminal } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import type { PoolView } from '@/lib/domain/pool-views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { StoppedClock } from '@/lib/live';
import {
  FailedState,
  ForbiddenState,
  ListTrouble,
  PageHead,
  SafeText,
  StaleBanner,
  useListState,
  useObject,
  useProblemText,
  useShortcut,
} from '../common';
import { PhaseReplay } from '../history';
import { EventsTab } from '../sandboxes/detail/events-tab';
import { YamlTab } from '../sandboxes/detail/yaml-tab';
import { GoneNote } from '../sandboxes/gone-note';
import { type Kept, useKept } from '../sandboxes/use-kept-row';
import { poolForms, taskPoolHref, upgradePoolHref } from '../shell/navigation';
import { runner } from '../tasks/queries';
import { Button, ButtonLink, Skeleton, Tabs } from '../ui';
import { MembersTab } from './members-tab';
import { PoolForm } from './pool-form';
import { PoolIssueNotes } from './pool-issues';
import { PoolStrip } from './pool-strip';
import { RolloutTab } from './rollout-tab';
import { TemplateTab } from './template-tab';
import { usePoolView } from './use-pool-views';

const tabs = ['inventory', 'claimed', 'rollout', 'replay', 'template', 'events', 'yaml'] as const;

/** Everything the console knows of one pool. It stays, with its last facts, when the pool is deleted. */
export function PoolPage({ ns, name }: { ns: string; name: string }) {
  const t = useTranslations('pools.detail');
  const kept = useKept('sandboxsets', ns, name);
  const view = usePoolView(kept.row);
  const state = useListState('sandboxsets');
  const crumb = <Link href="/pools">{t('crumb')}</Link>;
  if (view) {
    return (
      <StoppedClock value={kept.goneAt}>
        <Known key={view.pool.uid} view={view} kept={kept} crumb={crumb} />
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

function Known({ view, kept, crumb }: { view: PoolView; kept: Kept<'sandboxsets'>; crumb: React.ReactNode }) {
  const t = useTranslations('pools.detail');
  const ta = useTranslations('pools.action');
  const { pool, stats } = view;
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(tabs).withDefault('inventory'));
  const [form, setForm] = useQueryState('form', parseAsStringLiteral(poolForms));
  const say = useProblemText();
  const gone = kept.goneAt !== undefined;
  // Claimed sandboxes outlive their pool: they can be upgraded all the same.
  const planHref = upgradePoolHref(pool.ns, pool.name);
  const router = useRouter();
  useShortcut('u', () => router.push(planHref));
  const query = useObject('sandboxsets', pool, `${pool.uid}/${pool.gen}/${pool.obs}`);
  const reply = query.data?.object.metadata.uid === pool.uid ? query.data : undefined;
  const problem = query.error?.problem;
  const hasTasks = useQuery({ ...runner(), refetchInterval: false }).data?.runner.state === 'ready';
  const idle = stats.available + stats.creating + stats.terminating + stats.dead;
  const waiting =
    problem?.code === 'forbidden' ? (
      <ForbiddenState kind="sandboxsets" reason={say(problem)} />
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
            {/* Known later than the others, which must not move under a pointer: they stand at the right. */}
            {hasTasks && !gone ? (
              <ButtonLink icon={SquareTerminal} href={taskPoolHref(pool.ns, pool.name)}>
                {ta('task')}
              </ButtonLink>
            ) : null}
            <Button variant="primary" icon={Scaling} aria-disabled={gone} onClick={() => void setForm('scale')}>
              {ta('scale')}
            </Button>
            <Button icon={FilePen} aria-disabled={gone} onClick={() => void setForm('template')}>
              {ta('template')}
            </Button>
            <ButtonLink icon={CircleArrowUp} href={planHref}>
              {ta('upgrade')}
            </ButtonLink>
          </>
        }
      />
      <StaleBanner />
      {gone ? (
        <div className="px-[var(--gutter)] pb-3">
          <GoneNote kept={kept} of="pools" />
        </div>
      ) : null}
      <PoolStrip view={view} />
      <div className="grid gap-2 px-[var(--gutter)] pb-3 empty:hidden">
        {gone ? null : <PoolIssueNotes issues={view.issues} pool={pool} />}
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
          { value: 'replay', label: t('tabs.replay'), content: <PhaseReplay ns={pool.ns} pool={pool.name} /> },
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
      {form ? <PoolForm form={{ which: form, pool }} onClose={() => void setForm(null)} /> : null}
    </>
  );
}
