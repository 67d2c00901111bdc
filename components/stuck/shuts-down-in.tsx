'use client';

import type { SandboxRow } from '@/lib/contracts/rows';
import { nextThing } from '@/lib/domain/deadlines';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits, useNow } from '@/lib/live';
import { endsSoon } from '../sandboxes/next-thing';

/** Time until the session ends by itself. */
export function ShutsDownIn({ row }: { row: SandboxRow }) {
  const t = useTranslations('stuck');
  const f = useFormats();
  const now = useNow();
  const limits = useLimits();
  const next = nextThing({ ...row, paused: true }, now);
  if (!next) return <span className="dim">–</span>;
  if (next.kind === 'expired') return <span title={f.exact(next.at)}>{t('expired')}</span>;
  const left = f.duration(next.at - now);
  return (
    <span title={f.exact(next.at)} className={endsSoon(next, row, now, limits) ? 'b text-breach-fg' : undefined}>
      {left}
    </span>
  );
}
