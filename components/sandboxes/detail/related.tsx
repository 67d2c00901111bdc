'use client';

import Link from 'next/link';
import { KeyValues, SafeText } from '@/components/common';
import type { SandboxRow } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRowByName } from '@/lib/live';
import { OperationLink } from '../operation-link';
import { poolPath } from '../paths';

/** The objects this one hangs on. What is gone by now has a name but no page. */
export function Related({ row }: { row: SandboxRow }) {
  const t = useTranslations('sandboxes.detail.related');
  const pool = useRowByName('sandboxsets', row.ns, row.pool ?? '');
  const claim = useRowByName('sandboxclaims', row.ns, row.claimName ?? '');
  const gone = <span className="dim"> {t('gone')}</span>;
  return (
    <KeyValues
      items={[
        {
          label: t('pool'),
          value: row.pool && (
            <>
              {pool ? <Link href={poolPath(row.ns, row.pool)}>{row.pool}</Link> : <SafeText text={row.pool} />}
              {pool ? null : gone}
            </>
          ),
        },
        {
          label: t('upgrade'),
          value: row.op && <OperationLink row={row} />,
        },
        {
          label: t('claim'),
          value: row.claimName && (
            <>
              <SafeText text={row.claimName} />
              {claim ? <span className="dim"> {claim.phase}</span> : gone}
            </>
          ),
        },
        {
          label: t('sameOwner'),
          value: row.owner && (
            <Link href={`/sandboxes?q=${encodeURIComponent(row.owner)}`}>
              <SafeText text={row.owner} />
            </Link>
          ),
        },
      ]}
    />
  );
}
