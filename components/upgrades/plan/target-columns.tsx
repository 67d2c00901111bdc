'use client';

import { useMemo } from 'react';
import type { UpgradePreviewReply, UpgradeTarget } from '@/lib/contracts/upgrade-preview';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Countdown, SafeText } from '../../common';
import type { DataColumn } from '../../data-table';
import { Tag } from '../../ui';
import { sandboxColumn } from '../sandbox-column';
import { useFaultText } from './patch-problem-text';
import { useSessions } from './use-sessions';

type LeftOut = UpgradePreviewReply['leftOut'][number];

/** Phases of a target that the console has a word for. */
const stateNames = ['Running', 'Paused', 'Upgrading'] as const;
const isState = (phase: string): phase is (typeof stateNames)[number] => stateNames.some((name) => name === phase);

const none = <span className="dim">–</span>;
const text = (value: string | undefined) => (value === undefined ? none : <SafeText text={value} />);

export function useTargetColumns(namespace: string): DataColumn<UpgradeTarget>[] {
  const t = useTranslations('upgrade-plan.targets');
  const states = useTranslations('domain.state');
  const sessionOf = useSessions();
  return useMemo(
    () => [
      sandboxColumn(t('column.name'), namespace),
      {
        id: 'owner',
        header: t('column.owner'),
        width: 110,
        cell: (target) => {
          const session = sessionOf(target);
          if (session === undefined) return target.claimed ? <span className="dim">{t('claimed')}</span> : none;
          return text(session);
        },
        sort: sessionOf,
      },
      {
        id: 'phase',
        header: t('column.phase'),
        width: 104,
        cell: ({ phase }) => (isState(phase) ? states(phase) : text(phase)),
        sort: ({ phase }) => phase,
        watch: ({ phase }) => phase,
      },
      {
        id: 'shutdown',
        header: t('column.shutdown'),
        width: 100,
        align: 'end',
        cell: ({ shutdownAt }) => (shutdownAt === undefined ? none : <Countdown at={shutdownAt} />),
        sort: ({ shutdownAt }) => shutdownAt,
      },
      {
        id: 'node',
        header: t('column.node'),
        width: 110,
        priority: 3,
        cell: ({ node }) => text(node),
        sort: ({ node }) => node,
      },
      {
        id: 'marks',
        header: t('column.marks'),
        width: 110,
        cell: ({ noRuntime, identicalRetry, heldBy }) =>
          noRuntime || identicalRetry || heldBy ? (
            <span className="row gap-[4px]">
              {heldBy ? <Tag tone="attention">{t('heldBy', { name: heldBy })}</Tag> : null}
              {noRuntime ? <Tag tone="attention">{t('noRuntime')}</Tag> : null}
              {identicalRetry ? <Tag tone="attention">{t('identicalRetry')}</Tag> : null}
            </span>
          ) : (
            none
          ),
        sort: ({ noRuntime, identicalRetry, heldBy }) =>
          Number(noRuntime ?? 0) + Number(identicalRetry ?? 0) + Number(heldBy !== undefined) || undefined,
      },
    ],
    [namespace, t, states, sessionOf],
  );
}

export function useLeftOutColumns(namespace: string): DataColumn<LeftOut>[] {
  const t = useTranslations('upgrade-plan.targets');
  const tl = useTranslations('upgrade-plan.leftOut');
  const faultText = useFaultText();
  return useMemo(
    () => [
      sandboxColumn(t('column.name'), namespace),
      {
        id: 'reason',
        header: t('column.why'),
        width: 240,
        cell: ({ reason }) => tl(`reason.${reason}`),
        sort: ({ reason }) => reason,
      },
      {
        id: 'detail',
        header: t('column.detail'),
        width: 260,
        priority: 2,
        cell: ({ detail, fault }) => text(fault ? faultText(fault) : detail),
        sort: ({ detail, fault }) => fault?.path ?? detail,
      },
    ],
    [namespace, t, tl, faultText],
  );
}
