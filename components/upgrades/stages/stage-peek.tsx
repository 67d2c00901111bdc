'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UpgradeRow } from '@/lib/contracts/rows';
import type { FailureGroup } from '@/lib/domain/upgrades/failure-groups';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Exact, KeyValues, Peek, SafeText } from '../../common';
import { sandboxPath } from '../../sandboxes/paths';
import { Skeleton } from '../../ui';
import { PodPair } from '../pods/pod-pair';
import { upgradeHistory } from '../queries';
import { MessageText } from '../rescue/message-text';
import { cellsOf, stagesOf } from './cells';
import { Left } from './left';
import { StageMark } from './stage-cell';
import { type StageRow, saidBy } from './stage-rows';

/** One sandbox of the matrix: its stages with their times and clocks, what it says, and its Pods. */
export function StagePeek(props: {
  op: UpgradeRow;
  entry: StageRow;
  group: FailureGroup | undefined;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}) {
  const { op, entry, group } = props;
  const { row } = entry;
  const t = useTranslations('upgrades.stages.peek');
  const ts = useTranslations('upgrades.stages');
  const f = useFormats();
  const history = useQuery(upgradeHistory(op));
  const cells = cellsOf(op, entry);
  const checkpoint = history.data?.checkpoints[row.uid];
  return (
    <Peek
      name={row.name}
      href={sandboxPath(row)}
      onPrevious={props.onPrevious}
      onNext={props.onNext}
      onClose={props.onClose}
    >
      {entry.left ? (
        <Section title={t('record')}>
          <p>
            <Left ns={op.ns} left={entry.left} whole />
          </p>
          <p className="sm dim">{t('recordText')}</p>
        </Section>
      ) : null}
      <Section title={t('stages')}>
        {entry.waits ? <p className="mut">{t('waits')}</p> : null}
        <ol className="up-track">
          {stagesOf(op).map((stage) => {
            const time = entry.times[stage];
            return (
              <li key={stage}>
                <span>{stage === 'Done' ? ts('done') : stage}</span>
                <StageMark entry={entry} stage={stage} state={cells[stage]} />
                <span className="dim sm">
                  {time ? f.time(time.from) : null}
                  {cells[stage] === 'failed' && time?.failedAt !== undefined
                    ? ` · ${ts('state.failedAt', { at: f.time(time.failedAt) })}`
                    : null}
                </span>
              </li>
            );
          })}
        </ol>
        <p className="sm dim">{t('clock')}</p>
      </Section>
      {saidBy(entry) !== undefined ? (
        <Section title={t('message')}>
          <MessageText row={row} recorded={entry.left !== undefined} />
          {group ? <p className="sm mut">{t('alike', { count: group.sandboxes.length })}</p> : null}
        </Section>
      ) : null}
      <Section title={t('pods')}>
        {history.error ? <p className="mut">{t('unreadable')}</p> : null}
        {history.data ? <PodPair pods={history.data.pods[row.uid]} /> : history.error ? null : <Skeleton width="62%" />}
      </Section>
      <div className="psec px-0! pb-0!">
        <KeyValues
          items={[
            { label: t('node'), value: row.node && <SafeText text={row.node} /> },
            {
              label: t('session'),
              value: (row.owner ?? row.claimName) && <SafeText text={row.owner ?? row.claimName ?? ''} />,
            },
            { label: t('shutdown'), value: row.shutdownAt === undefined ? undefined : <Exact at={row.shutdownAt} /> },
            {
              label: 'Checkpoint',
              value: checkpoint && <SafeText text={`${checkpoint.name} · ${checkpoint.phase || '–'}`} />,
              mono: true,
            },
          ]}
        />
      </div>
    </Peek>
  );
}

function Section({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="psec">
      <h3>{title}</h3>
      {children}
    </div>
  );
}
