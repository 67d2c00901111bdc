'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { type ReactNode, useMemo } from 'react';
import { readOperation } from '@/lib/domain/upgrades/operation-reading';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { FailedState, ForbiddenState, StaleBanner, useObject, useProblemText } from '../common';
import { EventsTab } from '../sandboxes/detail/events-tab';
import { YamlTab } from '../sandboxes/detail/yaml-tab';
import { GoneNote } from '../sandboxes/gone-note';
import type { Kept } from '../sandboxes/use-kept-row';
import { Skeleton, Tabs } from '../ui';
import { ChangeTab } from './change-tab';
import { Concerns } from './concerns';
import { NotTakenTab, useNotTaken } from './not-taken-tab';
import { OperationHead } from './operation-head';
import { planAgain } from './plan-again';
import { PodsTab } from './pods/pods-tab';
import { Progress } from './progress';
import { Deadlock } from './rescue/deadlock';
import { FailureGroups, useFailureGroups } from './rescue/failure-groups';
import { Stages } from './stages/stages';
import { nameOf, useStageFilter } from './stages/use-stage-filter';
import { useStageRows } from './stages/use-stage-rows';
import { OperationForms } from './steer/operation-forms';
import { useUpgradeForm } from './steer/use-form';
import { useHeld } from './use-held';
import './upgrades.css';

const tabs = ['stages', 'change', 'pods', 'notTaken', 'events', 'yaml'] as const;

/** The page of an operation that is known, or was. */
export function OperationView(props: { upgrade: Upgrade; kept: Kept<'sandboxupdateops'>; crumb: ReactNode }) {
  const { upgrade, kept, crumb } = props;
  const { op, view } = upgrade;
  const t = useTranslations('upgrades.detail');
  const say = useProblemText();
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(tabs).withDefault('stages'));
  const form = useUpgradeForm();
  const query = useObject('sandboxupdateops', op, `${op.uid}/${op.gen}/${op.phase}`, kept.goneAt === undefined);
  const read = query.data?.object.metadata.uid === op.uid ? query.data : undefined;
  // Of one that is gone, what was read of it last: those that it left behind are planned for by it.
  const reply = useHeld(read, read === undefined);
  const reading = useMemo(() => reply && readOperation(reply.object), [reply]);
  const again = useMemo(() => reply && planAgain(reply.object), [reply]);
  const all = useStageRows(upgrade);
  const groups = useFailureGroups(upgrade, all);
  const filter = useStageFilter(all, groups);
  const unlisted = Math.max(0, view.waiting - filter.counts.waiting);
  const notTaken = useNotTaken(upgrade).rows;
  const problem = query.error?.problem;
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
  const showFailed = () => {
    void setTab('stages');
    filter.set({ show: 'failed', failure: '', stage: '', node: '' });
    // Drawn after the tab is.
    requestAnimationFrame(() => document.getElementById('failures')?.focus());
  };

  return (
    <div className="up-page">
      <OperationHead upgrade={upgrade} crumb={crumb} goneAt={kept.goneAt} form={form} again={again} />
      <StaleBanner />
      {kept.goneAt === undefined ? null : (
        <div className="px-[var(--gutter)] pb-3">
          <GoneNote kept={kept} of="upgrades" />
        </div>
      )}
      <Progress upgrade={upgrade} notTaken={notTaken} onNotTaken={() => void setTab('notTaken')} />
      {view.phase === 'Deadlocked' && kept.goneAt === undefined ? (
        <Deadlock upgrade={upgrade} all={all} groups={groups} again={again} form={form} onFailed={showFailed} />
      ) : null}
      <div className="grid gap-2 px-[var(--gutter)] pb-3 empty:hidden">
        {kept.goneAt === undefined ? <Concerns upgrade={upgrade} form={form} /> : null}
      </div>
      {tab === 'stages' ? (
        <FailureGroups
          upgrade={upgrade}
          all={all}
          groups={groups}
          reading={reading}
          form={form}
          onShow={(group) => filter.set({ show: 'all', failure: nameOf(group), stage: '', node: '' })}
        />
      ) : null}
      <Tabs
        label={t('tabs.label')}
        value={tab}
        onChange={(next) => void setTab(next)}
        items={[
          {
            value: 'stages',
            label: t('tabs.stages', { count: all.length + unlisted }),
            content: <Stages upgrade={upgrade} all={all} groups={groups} filter={filter} unlisted={unlisted} />,
          },
          {
            value: 'change',
            label: t('tabs.change'),
            content: <ChangeTab upgrade={upgrade} object={reply?.object} reading={reading} form={form} />,
          },
          { value: 'pods', label: t('tabs.pods'), content: <PodsTab upgrade={upgrade} all={all} /> },
          {
            value: 'notTaken',
            label: t('tabs.notTaken', { count: notTaken.length }),
            content: <NotTakenTab upgrade={upgrade} />,
          },
          {
            value: 'events',
            label: t('tabs.events'),
            content: reply ? <EventsTab reply={reply} row={undefined} /> : waiting,
          },
          { value: 'yaml', label: 'YAML', content: reply ? <YamlTab object={reply.object} name={op.name} /> : waiting },
        ]}
      />
      <OperationForms state={form} upgrade={upgrade} goneAt={kept.goneAt} reading={reading} />
    </div>
  );
}
