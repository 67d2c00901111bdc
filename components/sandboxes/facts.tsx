'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { Ago, KeyValues, SafeText } from '@/components/common';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxReading } from '@/lib/domain/object-readings';
import type { FilterContext } from '@/lib/domain/sandbox-filter';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { ClaimedBy } from './claimed-by';
import { clockOf } from './clock';
import { poolPath } from './paths';
import { Revision } from './revision';

/** What identifies a sandbox and who uses it, from its row; what only the object knows comes when it is read. */
export function SandboxFacts({
  row,
  sandbox,
  pools,
}: {
  row: SandboxRow;
  sandbox: SandboxReading | undefined;
  pools: FilterContext['pools'];
}) {
  const t = useTranslations('sandboxes.facts');
  const f = useFormats();
  const dim = (text: string) => <span className="dim"> {text}</span>;
  const items: { label: ReactNode; value: ReactNode; mono?: boolean }[] = [
    { label: t('id'), value: row.id && <SafeText text={row.id} />, mono: true },
    { label: t('claimedBy'), value: <ClaimedBy row={row} /> },
    {
      label: t('claimed'),
      value:
        row.claimedAt === undefined ? undefined : (
          <>
            <Ago at={row.claimedAt} />
            {dim(clockOf(f, row.claimedAt))}
          </>
        ),
    },
    {
      label: t('pool'),
      value:
        row.pool === undefined ? undefined : (
          <>
            <Link href={poolPath(row.ns, row.pool)}>
              <SafeText text={row.pool} />
            </Link>
            {row.idle ? dim(t('inPool')) : row.claimed ? dim(t('leftPool')) : null}
          </>
        ),
    },
    { label: t('nodeIp'), value: <NodeAndIp row={row} sandbox={sandbox} /> },
    { label: t('revision'), value: <Revision row={row} pools={pools} words /> },
    { label: t('pauseStrategy'), value: sandbox && <PauseStrategy strategy={sandbox.pauseStrategy} /> },
  ];
  return <KeyValues items={items} />;
}

function NodeAndIp({ row, sandbox }: { row: SandboxRow; sandbox: SandboxReading | undefined }) {
  const node = row.node;
  const ip = row.ip ?? sandbox?.podIp;
  if (node === undefined && ip === undefined) return <span className="dim">–</span>;
  return (
    <>
      {node === undefined ? '–' : <SafeText text={node} />} ·{' '}
      <span className="mono">{ip === undefined ? '–' : <SafeText text={ip} />}</span>
    </>
  );
}

/** What a pause keeps. The open-source controller treats every strategy as Stop (domain 1.2). */
function PauseStrategy({ strategy }: { strategy: string | undefined }) {
  const t = useTranslations('sandboxes.facts.strategy');
  return (
    <>
      <SafeText text={strategy ?? 'Stop'} />{' '}
      <span className="dim">{t(strategy === undefined || strategy === 'Stop' ? 'stop' : 'other')}</span>
    </>
  );
}
