'use client';

import type { ReactNode } from 'react';
import { isShort } from '@/lib/domain/pool-views';
import type { Runway } from '@/lib/domain/runway';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';

/** How long the stock lasts at the rates of the last ten minutes, or without refills where those have stopped. `bare`: under a head that says what it is. */
export function RunwayText({ runway, bare = false }: { runway: Runway; bare?: boolean }) {
  const t = useTranslations('pools.runway');
  const f = useFormats();
  if (runway.kind === 'unknown') {
    return (
      <span className="dim" title={t('unknownWhy')}>
        –
      </span>
    );
  }
  if (runway.kind === 'steady' || runway.kind === 'idle') return <span className="dim">{t(runway.kind)}</span>;
  if (runway.kind === 'empty') return <span className="b text-attention-fg">{t('empty')}</span>;
  const duration = f.coarse(runway.minutes * 60_000);
  const wide = (chunk: ReactNode) => <span className="hide-m">{chunk}</span>;
  const left = isShort(runway) ? (
    <span className="b text-attention-fg">{bare ? duration : t.rich('emptyIn', { duration, wide })}</span>
  ) : (
    <span className="mut">{duration}</span>
  );
  if (!runway.unfilled) return left;
  return (
    <span title={t('unfilledWhy')} className="inline-block py-1">
      {left} <span className="sub">{t('unfilled')}</span>
    </span>
  );
}
