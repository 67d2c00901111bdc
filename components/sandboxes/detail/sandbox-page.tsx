'use client';

import Link from 'next/link';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import {
  Dwell,
  FailedState,
  ForbiddenState,
  PageHead,
  SafeText,
  SandboxState,
  StaleBanner,
  useListState,
  useProblemText,
} from '@/components/common';
import { BundleButton } from '@/components/stuck/bundle/bundle-button';
import { Skeleton, Tabs } from '@/components/ui';
import { LeftoverNote } from '@/components/upgrades/leftovers/leftover-note';
import type { SandboxRow } from '@/lib/contracts/rows';
import { readPod, readSandbox } from '@/lib/domain/object-readings';
import { wholeEvidence } from '@/lib/domain/whole-evidence';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { StoppedClock } from '@/lib/live';
import { SandboxActions } from '../actions';
import { GoneNote } from '../gone-note';
import { NextThingText } from '../next-thing';
import { useSandboxObject } from '../object-query';
import { sandboxPath } from '../paths';
import { useKeptRow } from '../use-kept-row';
import { usePools } from '../use-sandbox-list';
import { Verdict } from '../verdict';
import { EventsTab } from './events-tab';
import { Missing } from './missing';
import { OutOfScope } from './out-of-scope';
import { OverviewTab } from './overview-tab';
import { Prediction } from './prediction';
import { YamlTab } from './yaml-tab';

const tabs = ['overview', 'events', 'yaml'] as const;

/** One sandbox as the whole of an incident. */
const incidentOf = (row: SandboxRow) => ({
  scope: {
    ns: row.ns,
    uid: row.uid,
    state: row.state,
    ...(row.pool === undefined ? {} : { pool: row.pool }),
    ...(row.cause ? { cause: row.cause.code } : {}),
  },
  rows: [row],
  href: sandboxPath(row),
});

/** Everything the console knows of one sandbox. It stays, with its last facts, when the sandbox is deleted. */
export function SandboxDetailPage({ ns, name }: { ns: string; name: string }) {
  const t = useTranslations('sandboxes.detail');
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(tabs).withDefault('overview'));
  const kept = useKeptRow(ns, name);
  const pools = usePools();
  const { row } = kept;
  const listed = useListState('sandboxes') === 'ready';
  const query = useSandboxObject({ ns, name }, row);
  // After a deletion the answer of the server is of nobody, or of a namesake.
  const reply = row && query.data && query.data.object.metadata.uid !== row.uid ? undefined : query.data;
  const problem = query.error?.problem;
  const say = useProblemText();
  const sandbox = reply && readSandbox(reply.object);
  const pod = reply?.pod && readPod(reply.pod);

  const head = (sub: ReactNode) => (
    <PageHead
      crumb={<Link href="/sandboxes">{t('crumb')}</Link>}
      title={
        <span className="mono text-[15px]">
          <SafeText text={name} />
        </span>
      }
      sub={sub}
      {...(row && kept.goneAt === undefined
        ? {
            actions: (
              <>
                <BundleButton incident={incidentOf(row)} />
                <SandboxActions row={row} object={reply?.object} />
              </>
            ),
          }
        : {})}
    />
  );
  if (!row && problem?.code === 'not_found')
    return (
      <>
        {head(ns)}
        <Missing ns={ns} name={name} />
      </>
    );
  if (!row && problem?.code === 'forbidden')
    return (
      <>
        {head(ns)}
        <ForbiddenState kind="sandboxes" reason={say(problem)} />
      </>
    );
  if (!row && problem)
    return (
      <>
        {head(ns)}
        <FailedState problem={problem} onRetry={() => void query.refetch()} />
      </>
    );

  if (!row && reply && listed)
    return (
      <>
        {head(ns)}
        <OutOfScope ns={ns} />
      </>
    );

  const waiting = (
    <div className="p-[20px]">
      <Skeleton width={320} />
    </div>
  );
  return (
    <StoppedClock value={kept.goneAt}>
      {head(ns)}
      <StaleBanner />
      {kept.goneAt === undefined ? null : (
        <div className="px-[var(--gutter)] pb-3">
          <GoneNote kept={kept} />
        </div>
      )}
      {row ? <StateStrip row={row} /> : null}
      {row && kept.goneAt === undefined ? (
        <div className="[&>.verdict]:px-[var(--gutter)]">
          <Verdict row={row} said={wholeEvidence(row, sandbox, pod)} />
        </div>
      ) : null}
      {row && kept.goneAt === undefined ? <LeftoverNote row={row} /> : null}
      {row && reply && kept.goneAt === undefined ? <Prediction row={row} reply={reply} /> : null}
      {problem && row && kept.goneAt === undefined ? (
        <p className="sm mut px-[var(--gutter)] py-2">
          {t('unreadable')} <SafeText text={say(problem)} />
        </p>
      ) : null}
      <Tabs
        label={t('tabs.label')}
        value={tab}
        onChange={(next) => void setTab(next)}
        items={[
          {
            value: 'overview',
            label: t('tabs.overview'),
            content: row ? <OverviewTab row={row} sandbox={sandbox} pod={pod} reply={reply} pools={pools} /> : waiting,
          },
          {
            value: 'events',
            label: t('tabs.events'),
            content: reply ? <EventsTab reply={reply} row={row} /> : waiting,
          },
          { value: 'yaml', label: 'YAML', content: reply ? <YamlTab object={reply.object} name={name} /> : waiting },
        ]}
      />
    </StoppedClock>
  );
}

/** State, time in it, where that time starts, and what happens next: the four facts that decide whether to act. */
function StateStrip({ row }: { row: SandboxRow }) {
  const t = useTranslations('sandboxes.detail.strip');
  const ts = useTranslations('stuck.clock');
  const f = useFormats();
  return (
    <dl className="flex flex-wrap gap-x-[36px] gap-y-2 border-t border-line px-[var(--gutter)] py-[10px]">
      <Fact label={t('state')}>
        <SandboxState row={row} withStage />
      </Fact>
      <Fact label={t('dwell')}>
        <span className="[&>.dw]:justify-start [&>.dw]:grid-cols-[auto_64px]">
          <Dwell row={row} />
        </span>
      </Fact>
      <Fact label={t('clock')}>
        <span className="mut" title={row.since === undefined ? undefined : f.exact(row.since)}>
          {ts(row.sinceFrom)}
        </span>
      </Fact>
      <Fact label={t('next')}>
        <NextThingText row={row} />
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="sm dim">{label}</dt>
      <dd className="leading-[22px]">{children}</dd>
    </div>
  );
}
