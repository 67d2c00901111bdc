'use client';

import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';

export interface Gap {
  from: number;
  to: number;
}

/** `2026-11-30 02:10:00 UTC – 02:11:00 UTC`. */
export function useGapText(): (gap: Gap) => string {
  const f = useFormats();
  return ({ from, to }) => `${f.dateTime(from)} – ${f.time(to)}`;
}

/** All stretches in which the console did not watch, in words; nothing when it always did. */
export function GapsNote({ gaps }: { gaps: readonly Gap[] }) {
  const t = useTranslations('timing.waterfall');
  const f = useFormats();
  const text = useGapText();
  if (gaps.length === 0) return null;
  return (
    <p className="sm dim px-[var(--gutter)] pb-2">{t('gaps', { count: gaps.length, list: f.list(gaps.map(text)) })}</p>
  );
}
