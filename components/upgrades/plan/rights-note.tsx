'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { CopyButton, Note, roleFor } from '../../ui';
import type { Planning } from './planning';
import { neededRights } from './use-missing-rights';

/** What the person may not do, before anything is planned for nothing. */
export function RightsNote({ planning }: { planning: Pick<Planning, 'missing' | 'form'> }) {
  const t = useTranslations('upgrade-plan.rights');
  const needed = neededRights(planning.missing, planning.form);
  if (needed.length === 0) return null;
  return (
    <div className="plan-notes">
      <Note tone="attention" title={t('title')}>
        {needed.map(({ what, right }) => (
          <p key={what} className="row flex-wrap">
            {t(what, right)} <CopyButton text={roleFor(right)} label={t('copy')} />
          </p>
        ))}
        <p>{t('ask')}</p>
      </Note>
    </div>
  );
}
