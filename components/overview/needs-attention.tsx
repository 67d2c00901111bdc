'use client';

import { Check } from 'lucide-react';
import type { AttentionItem } from '@/lib/domain/attention';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { SectionHead, useListState } from '../common';
import { Icon, Skeleton } from '../ui';
import { AttentionRow } from './attention-row';

const shown = 8;

/** The most urgent matters; one calm line when there are none. */
export function NeedsAttention({ items }: { items: readonly AttentionItem[] }) {
  const t = useTranslations('overview.attention');
  const state = useListState('sandboxes');
  if (state !== 'ready' && state !== 'loading') return null;
  return (
    <section>
      <SectionHead
        title={t('title')}
        hint={
          items.length > shown
            ? t('hint', { shown, count: items.length })
            : items.length > 0
              ? t('hintAll', { count: items.length })
              : undefined
        }
      />
      {state === 'loading' ? (
        <Loading />
      ) : items.length === 0 ? (
        // Where nothing can be listed, nobody knows whether all is calm.
        state === 'ready' && <Calm />
      ) : (
        <ol className="att">
          {items.slice(0, shown).map((item, index) => (
            <AttentionRow key={item.key} item={item} first={index === 0} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Loading() {
  return (
    <ul className="att" aria-hidden="true">
      {[260, 200, 230].map((width) => (
        <li key={width}>
          <span />
          <Skeleton width={width} />
        </li>
      ))}
    </ul>
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
