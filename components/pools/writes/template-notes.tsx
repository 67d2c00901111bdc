'use client';

import type { PoolRow } from '@/lib/contracts/rows';
import { rolloutBudget } from '@/lib/domain/budget';
import type { PoolStats } from '@/lib/domain/pools';
import { holdsMask } from '@/lib/domain/redact';
import type { Template } from '@/lib/domain/templates';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Note } from '../../ui';
import { digestPinnedInits } from './template-checks';

/**
 * What applying a template does to the pool. A change during a rollout also takes the members that are creating, outside
 * the budget (domain 5.4, T52); a budget of 0 never replaces available ones (T19).
 */
export function TemplateNotes({ pool, stats, after }: { pool: PoolRow; stats: PoolStats; after: Template }) {
  const t = useTranslations('writes.template');
  const f = useFormats();
  const budget = rolloutBudget(pool.updateMax, pool.desired);
  const written = String(pool.updateMax ?? '20%');
  // A scale-up or a refill also creates; a rollout has members of another revision.
  const rolling = stats.creating > 0 && stats.old > 0;
  const pinned = digestPinnedInits(after);
  return (
    <>
      <p className="sm mut">
        {t('consequence', { budget: f.number(budget), written, desired: f.number(pool.desired) })}
      </p>
      {rolling ? (
        <Note tone="attention" title={t('rolloutTitle')}>
          <p>
            {t('rollout', {
              creating: stats.creating,
              budget: f.number(budget),
              left: f.number(Math.max(0, stats.available - budget)),
              desired: f.number(pool.desired),
            })}
          </p>
        </Note>
      ) : null}
      {budget === 0 && pool.desired > 0 ? (
        <Note tone="attention" title={t('blockedTitle')}>
          <p>{t('blocked', { written })}</p>
        </Note>
      ) : null}
      {pinned.length > 0 ? (
        <Note tone="attention" title={t('digestTitle', { names: f.list(pinned) })}>
          <p>{t('digest')}</p>
        </Note>
      ) : null}
      {holdsMask(after) ? <p className="sm dim">{t('hiddenNote')}</p> : null}
    </>
  );
}
