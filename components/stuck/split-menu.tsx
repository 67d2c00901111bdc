'use client';

import { Split as SplitIcon } from 'lucide-react';
import { Button, Menu, MenuCheck } from '@/components/ui';
import { type Split, splitNames } from '@/lib/domain/cohorts';
import { useTranslations } from '@/lib/i18n/use-translations';

/** What cohorts are told apart by, beyond state, cause and pool. */
export function SplitMenu({ value, onChange }: { value: readonly Split[]; onChange: (value: Split[]) => void }) {
  const t = useTranslations('stuck.split');
  const label = value.length === 0 ? t('label') : t('by', { what: value.map((each) => t(each)).join(' × ') });
  return (
    <Menu trigger={<Button icon={SplitIcon}>{label}</Button>}>
      {splitNames.map((name) => (
        <MenuCheck
          key={name}
          checked={value.includes(name)}
          onChange={(on) => onChange(splitNames.filter((each) => (each === name ? on : value.includes(each))))}
        >
          {t(name)}
        </MenuCheck>
      ))}
    </Menu>
  );
}
