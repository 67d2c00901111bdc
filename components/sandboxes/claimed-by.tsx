'use client';

import { SafeText } from '@/components/common';
import { Tag } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { visibleText } from '@/lib/domain/text';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { sessionName } from './session-name';

/** Who uses a sandbox; owner, claim and time of the claim on hover. */
export function ClaimedBy({ row }: { row: SandboxRow }) {
  const t = useTranslations('sandboxes.claimed');
  const f = useFormats();
  const name = sessionName(row);
  const lines = [
    row.owner === undefined ? undefined : t('owner', { owner: visibleText(row.owner, 'mark') }),
    row.claimName === undefined ? undefined : t('claim', { claim: visibleText(row.claimName, 'mark') }),
    row.claimedAt === undefined ? undefined : t('at', { at: f.dateTime(row.claimedAt) }),
  ].filter((line) => line !== undefined);
  if (row.reserved) {
    return (
      <span className="row gap-[6px]" title={lines.join('\n')}>
        <Tag>{t('kept')}</Tag>
        {name === undefined ? null : (
          <span className="cut">
            <SafeText text={name} />
          </span>
        )}
      </span>
    );
  }
  if (name === undefined)
    return row.claimed ? <span className="dim">{t('unnamed')}</span> : <span className="dim">–</span>;
  return (
    <span className="cut block" title={lines.join('\n')}>
      <SafeText text={name} />
    </span>
  );
}
