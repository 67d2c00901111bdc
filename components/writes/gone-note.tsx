'use client';

import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Note } from '../ui';

/** That the object of an open form no longer exists: what was typed stays to be read, and cannot be sent. */
export function GoneNote({ at, text }: { at: number | undefined; text: string }) {
  const t = useTranslations('writes.gone');
  const f = useFormats();
  if (at === undefined) return null;
  return (
    <Note tone="unknown" title={t('title', { at: f.time(at) })} live>
      <p>{text}</p>
    </Note>
  );
}
