'use client';

import { Minus } from 'lucide-react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Icon } from '../../ui';
import { atOnce } from './at-once';
import type { Planning } from './planning';

/** What starting it does and what is lost, one line each. */
export function Consequences({ planning }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.consequence');
  const { form, limit, preview } = planning;
  const targets = preview.reply?.targets ?? [];
  const claimed = targets.filter((target) => target.claimed).length;
  const unclaimed = targets.filter((target) => !target.claimed && target.phase !== 'Paused').length;
  const paused = targets.filter(({ phase }) => phase === 'Paused').length;
  const rebuilds = form.changeBy !== 'none';
  const most = atOnce(limit, targets.length);
  const interrupted = [
    ...(claimed > 0 ? [t('sessions', { count: claimed, limit: most })] : []),
    ...(unclaimed > 0 ? [t('unclaimed', { count: unclaimed, limit: most })] : []),
  ];
  const lines = [
    ...(rebuilds ? interrupted : [t('hooksOnly')]),
    ...(rebuilds ? [t(form.strategy)] : []),
    ...(paused > 0 ? [t('paused', { count: paused })] : []),
    ...(form.targetsBy === 'selection' ? [t('label', { count: targets.length })] : []),
    ...(form.targetsBy === 'selection' ? [] : [t('later')]),
    t('noAbort'),
  ];
  return (
    <ul className="plan-lines" aria-label={t('title')}>
      {lines.map((line) => (
        <li key={line}>
          <Icon icon={Minus} />
          <span>{line}</span>
        </li>
      ))}
    </ul>
  );
}
