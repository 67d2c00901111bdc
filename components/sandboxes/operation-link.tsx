'use client';

import Link from 'next/link';
import { SafeText } from '@/components/common';
import type { SandboxRow } from '@/lib/contracts/rows';
import { upgradePhases } from '@/lib/domain/upgrades/view';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRowByName } from '@/lib/live';
import { upgradePath } from './paths';

/** The operation that has taken up a sandbox, and how it stands. One that is gone has a name but no page. */
export function OperationLink({ row: { ns, op: name = '', upgraded } }: { row: SandboxRow }) {
  const t = useTranslations('sandboxes.detail.related');
  const op = useRowByName('sandboxupdateops', ns, name);
  return (
    <>
      {op ? (
        <Link href={upgradePath(ns, name)}>
          <SafeText text={name} />
        </Link>
      ) : (
        <SafeText text={name} />
      )}
      <span className="dim"> {!op ? t('gone') : upgraded ? t('upgraded') : <Phase phase={op.phase} />}</span>
    </>
  );
}

/** The phase in the status of an operation; one that the console does not know stays as it is. */
function Phase({ phase }: { phase: string }) {
  const t = useTranslations('upgrades.phase');
  const known = upgradePhases.find((each) => each === phase);
  return known ? t(known) : <SafeText text={phase} />;
}
