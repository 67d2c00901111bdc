'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { PracticeButton } from '../practice';

/** Says as long as it is true that this cluster is the simulator. */
export function SimulatorRibbon() {
  const t = useTranslations('shell');
  const embedded = useLiveStatus().freshness?.cluster.embedded;
  return embedded ? (
    <aside className="ribbon">
      <span>{t('simulator')}</span>
      <PracticeButton />
    </aside>
  ) : null;
}
