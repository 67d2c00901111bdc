'use client';

import { Button } from '@/components/ui';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useFacetLabel } from '../sandboxes/facets';
import type { useStuck } from './use-stuck';

const facets = ['state', 'cause', 'pool', 'node', 'namespace'] as const;

/** Filters that a link brought along: what the list is narrowed to, and the way out. */
export function ActiveFilters({
  filters,
  onClear,
}: {
  filters: ReturnType<typeof useStuck>['filters'];
  onClear: () => void;
}) {
  const t = useTranslations('stuck');
  const label = useFacetLabel();
  const on = facets.flatMap((facet) => filters[facet].map((value) => ({ facet, value })));
  if (on.length === 0) return null;
  return (
    <div className="row flex-wrap gap-2 px-[var(--gutter)] pb-[10px]">
      <span className="dim sm">{t('only')}</span>
      {on.map(({ facet, value }) => (
        <span key={`${facet}/${value}`} className="tag">
          {label(facet, value)}
        </span>
      ))}
      <Button size="sm" variant="quiet" onClick={onClear}>
        {t('clear')}
      </Button>
    </div>
  );
}
