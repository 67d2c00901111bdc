'use client';

import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { Dwell, SafeText, severityTone, stateLooks } from '@/components/common';
import { type DataColumn, RowLink } from '@/components/data-table';
import { Icon, Tag } from '@/components/ui';
import { displayStates, type SandboxRow } from '@/lib/contracts/rows';
import { severityOf } from '@/lib/domain/severity';
import { urgencyOf } from '@/lib/domain/urgency';
import { useNow } from '@/lib/live';
import { ClaimedBy } from '../sandboxes/claimed-by';
import { sandboxPath } from '../sandboxes/paths';
import { sessionName } from '../sandboxes/session-name';
import { useStateName } from '../sandboxes/verdict';
import { ShutsDownIn } from './shuts-down-in';

const stateOrder = new Map(displayStates.map((state, index) => [state, index]));

export function useStuckColumns(): DataColumn<SandboxRow>[] {
  const t = useTranslations('stuck.column');
  return useMemo(
    (): DataColumn<SandboxRow>[] => [
      {
        id: 'cause',
        header: t('cause'),
        width: 236,
        always: true,
        cell: (row) => <CauseCell row={row} />,
        sort: (row) => row.cause?.code,
        watch: (row) => row.cause?.code,
      },
      {
        id: 'name',
        header: t('sandbox'),
        width: 168,
        always: true,
        cell: (row) => (
          <>
            <RowLink href={sandboxPath(row)} name={row.name} mono />
            <span className="sub">{row.pool === undefined ? row.ns : <SafeText text={row.pool} />}</span>
          </>
        ),
        sort: (row) => row.name,
      },
      {
        id: 'state',
        header: t('state'),
        width: 112,
        priority: 2,
        cell: (row) => <StateCell row={row} />,
        sort: (row) => stateOrder.get(row.state),
        watch: (row) => row.state,
      },
      {
        id: 'dwell',
        header: t('dwell'),
        width: 150,
        align: 'end',
        cell: (row) => (
          <>
            <Dwell row={row} />
            <span className="sub">
              <Start row={row} />
            </span>
          </>
        ),
        sort: urgencyOf,
        sortFirst: 'descending',
        watch: (row) => row.since,
      },
      {
        id: 'owner',
        header: t('session'),
        width: 150,
        priority: 2,
        cell: (row) => <ClaimedBy row={row} />,
        sort: sessionName,
      },
      {
        id: 'shutdown',
        header: t('shutsDown'),
        width: 104,
        align: 'end',
        priority: 2,
        cell: (row) => <ShutsDownIn row={row} />,
        sort: (row) => row.shutdownAt,
        watch: (row) => row.shutdownAt,
      },
      {
        id: 'node',
        header: t('pod'),
        width: 120,
        priority: 3,
        cell: (row) => <PodLine row={row} />,
        sort: (row) => row.node,
        watch: (row) => `${row.node}/${row.ready}`,
      },
    ],
    [t],
  );
}

/** Severity sits on the icon and the dwell; the words of the cause stay ink. */
function CauseCell({ row }: { row: SandboxRow }) {
  const t = useTranslations('domain.cause');
  const ts = useTranslations('stuck');
  const severity = severityOf(row, useNow());
  const { icon, tone } = stateLooks[row.state];
  return (
    <span className="flex items-start gap-[9px]">
      <Icon icon={icon} tone={severityTone(severity) ?? tone} className="mt-[2px]" />
      <span className="min-w-0">
        <span className="row gap-2">
          <span className="b cut">{row.cause ? t(row.cause.code) : ts('noCause')}</span>
          {row.cause?.never ? <Tag tone="breach">{ts('never')}</Tag> : null}
        </span>
        <span className="sub mono micro">{row.cause?.code ?? row.phase}</span>
      </span>
    </span>
  );
}

/** Where the start of the dwell comes from. */
function Start({ row }: { row: SandboxRow }) {
  const t = useTranslations('stuck.clock');
  return t(row.sinceFrom);
}

function StateCell({ row }: { row: SandboxRow }) {
  const name = useStateName()(row);
  return (
    <>
      <SafeText text={name} />
      {row.stage === undefined ? null : (
        <span className="sub">
          <SafeText text={row.stage} />
        </span>
      )}
    </>
  );
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
