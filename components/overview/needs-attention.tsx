'use client';

import { Check } from 'lucide-react';
import type { AttentionItem } from '@/lib/domain/attention';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { SectionHead, useListState } from '../common';
import { Icon } from '../ui';
import { AttentionRow } from './attention-row';

const shown = 8;

/** The most urgent matters; one calm line when there are none. */
export function NeedsAttention({ items }: { items: readonly AttentionItem[] }) {
  const t = useTranslations('overview.attention');
  const ready = useListState('sandboxes') === 'ready';
  if (!ready) return null;
  return (
    <section>
      <SectionHead
        title={t('title')}
        hint={items.length > 0 ? t('hint', { shown: Math.min(shown, items.length), count: items.length }) : undefined}
      />
      {items.length === 0 ? (
        <Calm />
      ) : (
        <ol className="att">
          {items.slice(0, shown).map((item) => (
            <AttentionRow key={item.key} item={item} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Calm() {
  const t = useTranslations('overview.attention');
  const f = useFormats();
  const { ageMs } = useLiveStatus();
  return (
    <p className="more">
      <Icon icon={Check} tone="ok" />
      <span className="b text-fg">{t('calm')}</span>{' '}
      {t('checked', { duration: f.duration(Math.floor(ageMs / 1000) * 1000) })}
    </p>
  );
}
