import { useMemo } from 'react';
import type { DataColumn, Sort } from '@/components/data-table';
import type { SandboxRow } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';

/** The words of the order by urgency, which stands in the column of the dwell but is not by it alone. */
export function useOverdueOrder() {
  const t = useTranslations('sandboxes.order');
  return useMemo(() => ({ by: t('overdueWord'), descending: t('overdue'), ascending: t('overdueLast') }), [t]);
}

/** What a list of sandboxes is sorted by, in words. */
export function useOrderText(columns: readonly DataColumn<SandboxRow>[], sort: Sort): string {
  const t = useTranslations('sandboxes.order');
  const column = columns.find(({ id }) => id === sort.id);
  return column?.order?.[sort.desc ? 'descending' : 'ascending'] ?? t('column', { column: column?.header ?? sort.id });
}
