'use client';

import { useMemo } from 'react';
import { Dwell, SafeText, severityTone, stateLooks } from '@/components/common';
import { type DataColumn, RowLink } from '@/components/data-table';
import { Icon, Tag } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { severityOf } from '@/lib/domain/severity';
import { longerOf, urgencyOf } from '@/lib/domain/urgency';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { ClaimedBy } from '../sandboxes/claimed-by';
import { useOverdueOrder } from '../sandboxes/order-text';
import { sandboxPath } from '../sandboxes/paths';
import { sessionName } from '../sandboxes/session-name';
import { useNarrow } from '../sandboxes/use-narrow';
import { useStateName } from '../sandboxes/verdict';
import { ShutsDownIn } from './shuts-down-in';

export function useStuckColumns(): DataColumn<SandboxRow>[] {
  const t = useTranslations('stuck.column');
  const narrow = useNarrow();
  const overdue = useOverdueOrder();
  return useMemo((): DataColumn<SandboxRow>[] => {
    const columns: DataColumn<SandboxRow>[] = [
      {
        id: 'cause',
        header: t('cause'),
        width: narrow ? 182 : 276,
        always: true,
        cell: (row) => <CauseCell row={row} withName={narrow} />,
        sort: (row) => row.cause?.code,
        watch: (row) => row.cause?.code,
      },
      {
        id: 'name',
        header: t('sandbox'),
        width: 170,
        always: true,
        cell: (row) => (
          <>
            <RowLink href={sandboxPath(row)} name={row.name} mono />
            <span className="sub">
              <SafeText text={[row.pool ?? row.ns, row.node].filter((part) => part !== undefined).join(' · ')} />
            </span>
          </>
        ),
        sort: (row) => row.name,
      },
      {
        id: 'dwell',
        header: t('dwell'),
        width: narrow ? 88 : 148,
        align: 'end',
        cell: (row) => (
          <span className="norail">
            <Dwell row={row} />
            <span className="sub">
              <Start row={row} />
            </span>
          </span>
        ),
        sort: urgencyOf,
        tie: longerOf,
        order: overdue,
        sortFirst: 'descending',
        watch: (row) => row.since,
      },
      {
        id: 'owner',
        header: t('session'),
        width: 152,
        priority: 2,
        cell: (row) => <ClaimedBy row={row} />,
        sort: sessionName,
      },
      {
        id: 'shutdown',
        header: t('shutsDown'),
        width: narrow ? 106 : 110,
        align: 'end',
        priority: narrow ? 1 : 2,
        cell: (row) => <ShutsDownIn row={row} />,
        sort: (row) => row.shutdownAt,
        watch: (row) => row.shutdownAt,
      },
      {
        id: 'node',
        header: t('pod'),
        width: 100,
        priority: 3,
        cell: (row) => <PodLine row={row} />,
        sort: (row) => row.node,
        watch: (row) => `${row.node}/${row.ready}`,
      },
    ];
    // On a telephone the name stands under the cause.
    return narrow ? columns.filter(({ id }) => id !== 'name') : columns;
  }, [narrow, overdue, t]);
}

/** Severity sits on the icon and the dwell; the words of the cause stay ink. */
function CauseCell({ row, withName }: { row: SandboxRow; withName: boolean }) {
  const t = useTranslations('domain.cause');
  const ts = useTranslations('stuck');
  const severity = severityOf(row, useNow());
  const state = useStateName()(row);
  const { icon, tone } = stateLooks[row.state];
  return (
    <span className="flex items-start gap-[9px]">
      <Icon icon={icon} tone={severityTone(severity) ?? tone} className="mt-[2px]" />
      <span className="min-w-0">
        <span className="row gap-2">
          <span className="b cut">{row.cause ? t(row.cause.code) : ts('noCause')}</span>
          {row.cause?.never && !withName ? <Tag tone="breach">{ts('never')}</Tag> : null}
        </span>
        {withName ? (
          <span className="sub">
            <RowLink href={sandboxPath(row)} name={row.name} mono />
          </span>
        ) : (
          <span className="sub">
            <SafeText text={row.stage === undefined ? state : `${state} · ${row.stage}`} />
          </span>
        )}
      </span>
    </span>
  );
}

/** Where the start of the dwell comes from. */
function Start({ row }: { row: SandboxRow }) {
  const t = useTranslations('stuck.clock');
  return t(row.sinceFrom);
}

/** Where the Pod is, as far as the row tells. */
function PodLine({ row }: { row: SandboxRow }) {
  const t = useTranslations('stuck');
  if (row.node === undefined) return <span className="dim">{t('pod.noNode')}</span>;
  return (
    <span className="mut">
      <SafeText text={row.node} />
      <span className="sub">{row.ready === undefined ? '' : t(row.ready ? 'pod.ready' : 'pod.notReady')}</span>
    </span>
  );
}
