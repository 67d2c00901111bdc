'use client';

import { Button, Note } from '@/components/ui';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import type { Kept } from './use-kept-row';

/** That the object on screen no longer exists, and whether another one has its name. */
export function GoneNote<K extends 'sandboxes' | 'sandboxsets' | 'sandboxupdateops'>({
  kept,
  of = 'sandboxes',
}: {
  kept: Kept<K>;
  of?: 'sandboxes' | 'pools' | 'upgrades';
}) {
  const t = useTranslations(`${of}.gone`);
  const f = useFormats();
  if (kept.goneAt === undefined) return null;
  return (
    <Note tone="unknown" title={t('title', { at: f.time(kept.goneAt) })} live>
      {kept.successor ? (
        <>
          <p>{t('successor')}</p>
          <Button size="sm" className="mt-2" onClick={kept.follow}>
            {t('follow')}
          </Button>
        </>
      ) : (
        <p>{t('lastKnown')}</p>
      )}
    </Note>
  );
}
