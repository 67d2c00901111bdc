'use client';

import { ListChecks } from 'lucide-react';
import { maxSelected } from '@/lib/contracts/upgrades';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button } from '../../ui';
import type { Planning } from './planning';

/** A selector goes on taking what matches it; a list does not. */
export function KeepList({ planning: { form, edit, preview } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.targets');
  const targets = preview.asking ? undefined : preview.reply?.targets;
  if (form.targetsBy === 'selection' || !targets || targets.length === 0) return null;
  const keep = () =>
    edit({
      targetsBy: 'selection',
      sandboxes: targets.map(({ uid, name }) => ({ uid, name })),
      origin: { as: 'seen' },
    });
  return (
    <div className="fld">
      <p>{t('laterToo', { count: targets.length })}</p>
      <div>
        <Button size="sm" icon={ListChecks} aria-disabled={targets.length > maxSelected} onClick={keep}>
          {t('exactly', { count: targets.length })}
        </Button>
      </div>
    </div>
  );
}
