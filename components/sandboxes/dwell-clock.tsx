'use client';

import type { SandboxRow } from '@/lib/contracts/rows';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';

/** Where the start of a dwell comes from, in two words; the moment itself on hover. */
export function DwellClock({ row }: { row: SandboxRow }) {
  const t = useTranslations('sandboxes.clock');
  const f = useFormats();
  return <span title={row.since === undefined ? undefined : f.exact(row.since)}>{t(row.sinceFrom)}</span>;
}
