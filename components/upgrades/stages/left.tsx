'use client';

import Link from 'next/link';
import type { UpgradeLeave } from '@/lib/contracts/upgrade-history';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Exact, SafeText } from '../../common';
import { objectHref } from '../../shell/navigation';

/** Where a sandbox is that is not with the operation any more, and since when; `whole`: as a sentence. */
export function Left({ ns, left, whole = false }: { ns: string; left: UpgradeLeave; whole?: boolean }) {
  const t = useTranslations('upgrades.stages.left');
  const { at, seen, why, to = '' } = left;
  return (
    <span title={seen ? undefined : t('unseen')}>
      {t.rich(`${whole ? 'whole' : 'cell'}.${why}.${seen ? 'seen' : 'unseen'}`, {
        name: () => (
          <Link className="up-to" href={objectHref('upgrades', ns, to)}>
            <SafeText text={to} />
          </Link>
        ),
        at: () => <Exact at={at} />,
      })}
    </span>
  );
}
