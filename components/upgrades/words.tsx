'use client';

import { CircleHelp } from 'lucide-react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { IconButton, Popover } from '../ui';

const words = ['lock', 'slot', 'inFlight', 'adopted'] as const;

/** What the words of these pages mean, for who reads them first. */
export function Words() {
  const t = useTranslations('upgrades.words');
  return (
    <Popover
      label={t('label')}
      align="end"
      className="up-words"
      trigger={<IconButton label={t('label')} icon={CircleHelp} />}
    >
      <dl className="up-kinds">
        {words.map((word) => (
          <div key={word}>
            <dt>{t(word)}</dt>
            <dd>{t(`${word}Text`)}</dd>
          </div>
        ))}
      </dl>
    </Popover>
  );
}
