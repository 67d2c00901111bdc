'use client';

import { useMemo } from 'react';
import type { UpgradePreviewReply, UpgradeTarget } from '@/lib/contracts/upgrades';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Countdown, SafeText } from '../../common';
import { type DataColumn, RowLink } from '../../data-table';
import { sandboxPath } from '../../sandboxes/paths';
import { Tag } from '../../ui';
import { useSessions } from './use-sessions';

export type LeftOut = UpgradePreviewReply['leftOut'][number];

const none = <span className="dim">–</span>;
const text = (value: string | undefined) => (value === undefined ? none : <SafeText text={value} />);

export function useTargetColumns(namespace: string): DataColumn<UpgradeTarget>[] {
  const t = useTranslations('upgrade-plan.targets');
  const sessionOf = useSessions();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('column.name'),
        width: 190,
        always: true,
        cell: ({ name }) => <RowLink href={sandboxPath({ ns: namespace, name })} name={name} mono />,
        sort: ({ name }) => name,
      },
      {
        id: 'owner',
        header: t('column.owner'),
        width: 150,
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
        width: 90,
        priority: 2,
        cell: ({ phase }) => text(phase),
        sort: ({ phase }) => phase,
        watch: ({ phase }) => phase,
      },
      {
        id: 'shutdown',
        header: t('column.shutdown'),
        width: 100,
        align: 'end',
        priority: 2,
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
        width: 130,
        priority: 2,
        cell: ({ noRuntime, identicalRetry }) =>
          noRuntime || identicalRetry ? (
            <span className="row gap-[4px]">
              {noRuntime ? <Tag tone="attention">{t('noRuntime')}</Tag> : null}
              {identicalRetry ? <Tag tone="attention">{t('identicalRetry')}</Tag> : null}
            </span>
          ) : (
            none
          ),
        sort: ({ noRuntime, identicalRetry }) => Number(noRuntime ?? 0) + Number(identicalRetry ?? 0) || undefined,
      },
    ],
    [namespace, t, sessionOf],
  );
}

export function useLeftOutColumns(namespace: string): DataColumn<LeftOut>[] {
  const t = useTranslations('upgrade-plan.targets');
  const tl = useTranslations('upgrade-plan.leftOut');
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('column.name'),
        width: 190,
        always: true,
        cell: ({ name }) => <RowLink href={sandboxPath({ ns: namespace, name })} name={name} mono />,
        sort: ({ name }) => name,
      },
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
        cell: ({ detail }) => text(detail),
        sort: ({ detail }) => detail,
      },
    ],
    [namespace, t, tl],
  );
}
