'use client';

import type { Runway } from '@/lib/domain/pools';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';

/** How long the stock lasts at the rates of the last ten minutes. */
export function RunwayText({ runway }: { runway: Runway }) {
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
  return (
    <span className="b text-attention-fg">
      {runway.kind === 'empty'
        ? t('empty')
        : t.rich('emptyIn', {
            duration: f.coarse(runway.minutes * 60_000),
            wide: (chunk) => <span className="hide-m">{chunk}</span>,
          })}
    </span>
  );
}
