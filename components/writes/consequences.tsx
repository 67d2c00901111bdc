'use client';

import { Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Icon } from '../ui';
import './writes.css';

/** What happens, line by line. */
export function Consequences({ items }: { items: readonly ReactNode[] }) {
  const t = useTranslations('writes');
  return (
    <ul className="write-lines" aria-label={t('happens')}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
        <li key={index}>
          <Icon icon={Minus} />
          <div>{item}</div>
        </li>
      ))}
    </ul>
  );
}
