'use client';

import Link from 'next/link';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import type { Upgrade } from '@/lib/domain/upgrade-views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import {
  Exact,
  FailedState,
  ForbiddenState,
  ListTrouble,
  PageHead,
  SafeText,
  StaleBanner,
  UnitBar,
  useListState,
  useObject,
  useProblemText,
} from '../common';
import { EventsTab } from '../sandboxes/detail/events-tab';
import { YamlTab } from '../sandboxes/detail/yaml-tab';
import { objectHref } from '../shell/navigation';
import { Note, Skeleton, Tabs } from '../ui';
import { Deadlock } from './deadlock';
import { Settings } from './settings';
import { Stages } from './stages';
import { UpgradePhaseBadge } from './upgrade-phase';
import { useUpgrades } from './use-upgrade-views';

const tabs = ['stages', 'settings', 'events', 'yaml'] as const;

/** One SandboxUpdateOps: how far each sandbox is, and what holds it up. */
export function UpgradePage({ ns, name }: { ns: string; name: string }) {
  const t = useTranslations('upgrades.detail');
  const upgrade = useUpgrades().find(({ op }) => op.ns === ns && op.name === name);
  const state = useListState('sandboxupdateops');
  const crumb = <Link href="/upgrades">{t('crumb')}</Link>;
  if (upgrade) return <Known upgrade={upgrade} crumb={crumb} />;
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

function Known({ upgrade, crumb }: { upgrade: Upgrade; crumb: ReactNode }) {
  const t = useTranslations('upgrades.detail');
  const f = useFormats();
  const { op, view } = upgrade;
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(tabs).withDefault('stages'));
  const query = useObject('sandboxupdateops', op, `${op.uid}/${op.gen}/${op.phase}`);
  const reply = query.data?.object.metadata.uid === op.uid ? query.data : undefined;
  const problem = query.error?.problem;
  const say = useProblemText();
  const waiting =
    problem?.code === 'forbidden' ? (
      <ForbiddenState kind="sandboxupdateops" reason={say(problem)} />
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
        title={
          <span className="inline-flex flex-wrap items-center gap-x-[10px]">
            <SafeText text={op.name} />
            <span className="inline-flex text-ui font-normal tracking-normal">
              <UpgradePhaseBadge upgrade={upgrade} boxed />
            </span>
          </span>
        }
        sub={
          <>
            {op.ns} · {op.strategy}
            {op.created === undefined ? null : (
              <>
                {' · '}
                {t('started')} <Exact at={op.created} />
              </>
            )}
            {view.elapsedMs === undefined ? null : ` · ${t('took', { duration: f.coarse(view.elapsedMs) })}`}
            {view.etaMs === undefined || view.perMinute === undefined
              ? null
              : ` · ${t('eta', { left: f.coarse(view.etaMs), rate: f.decimal(view.perMinute) })}`}
          </>
        }
      />
      <StaleBanner />
      {view.total > 0 ? (
        <div className="px-[var(--gutter)] pb-4">
          <UnitBar updated={view.updated} updating={view.updating} failed={view.failed} total={view.total} legend />
        </div>
      ) : null}
      {view.phase === 'Deadlocked' ? <Deadlock upgrade={upgrade} /> : null}
      <div className="grid gap-2 px-[var(--gutter)] pb-3 empty:hidden">
        <Concerns upgrade={upgrade} />
      </div>
      <Tabs
        label={t('tabs.label')}
        value={tab}
        onChange={(next) => void setTab(next)}
        items={[
          {
            value: 'stages',
            label: t('tabs.stages', { count: view.sandboxes.length }),
            content: <Stages upgrade={upgrade} />,
          },
          {
            value: 'settings',
            label: t('tabs.settings'),
            content: <Settings upgrade={upgrade} object={reply?.object} />,
          },
          {
            value: 'events',
            label: t('tabs.events'),
            content: reply ? <EventsTab reply={reply} row={undefined} /> : waiting,
          },
          { value: 'yaml', label: 'YAML', content: reply ? <YamlTab object={reply.object} name={op.name} /> : waiting },
        ]}
      />
    </>
  );
}

/** What is odd about this operation, with what it means. */
function Concerns({ upgrade: { op, view } }: { upgrade: Upgrade }) {
  const t = useTranslations('upgrades.concern');
  const { holder } = view;
  return (
    <>
      {view.phase === 'WaitingForOther' && holder ? (
        <Note tone="attention" title={t('waiting', { name: holder.name })}>
          {t.rich('waitingText', {
            a: (chunk) => <Link href={objectHref('upgrades', op.ns, holder.name)}>{chunk}</Link>,
          })}
        </Note>
      ) : null}
      {view.concerns.map((concern) => (
        <Note key={concern} tone="attention" title={t(`${concern}.title`)}>
          {t(`${concern}.text`)}
        </Note>
      ))}
    </>
  );
}
