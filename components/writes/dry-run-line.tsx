'use client';

import { Check } from 'lucide-react';
import type { Receipt } from '@/lib/contracts/writes';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../common';
import { Icon, Note, Spinner } from '../ui';

/** What the server said to a dry run: asked, accepted, and its warnings. A refusal has its own note. */
export function DryRunLine({ answer, asking }: { answer: Receipt | undefined; asking: boolean }) {
  const t = useTranslations('writes');
  if (asking) {
    return (
      <div className="row sm mut" role="status">
        <Spinner />
        {t('scale.drySending')}
      </div>
    );
  }
  if (!answer) return null;
  const version = answer.resourceVersion;
  return (
    <>
      <div className="row sm mut" role="status">
        <Icon icon={Check} tone="ok" />
        <span>
          {t('scale.dryAccepted')}
          {version ? ` · ${t('scale.dryVersion', { version })}` : null}
        </span>
      </div>
      {answer.warnings.length > 0 ? (
        <Note tone="attention" title={t('template.warnings')}>
          {answer.warnings.map((warning) => (
            <p key={warning}>
              <SafeText text={warning} />
            </p>
          ))}
        </Note>
      ) : null}
    </>
  );
}
