import type { DataColumn, Sort } from '@/components/data-table';
import type { SandboxRow } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';

/** What a list of sandboxes is sorted by, in words. */
export function useOrderText(columns: readonly DataColumn<SandboxRow>[], sort: Sort): string {
  const t = useTranslations('sandboxes.order');
  if (sort.id === 'dwell' && sort.desc) return t('overdue');
  return t('column', { column: columns.find(({ id }) => id === sort.id)?.header ?? sort.id });
}
