import type { UpgradeView } from '@/lib/domain/upgrades/view';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';

/** What is left, and what that is reckoned from. */
export function useEta() {
  const t = useTranslations('upgrades');
  const f = useFormats();
  return ({ etaMs, perMinute, rateFrom }: UpgradeView): { text: string; basis: string } | undefined =>
    etaMs === undefined || perMinute === undefined || rateFrom === undefined
      ? undefined
      : {
          text: t('eta', { left: f.coarse(etaMs), rate: f.decimal(perMinute) }),
          basis: t('etaBasis', { count: rateFrom.updated, duration: f.coarse(rateFrom.ms) }),
        };
}
