'use client';

import { Search, X } from 'lucide-react';
import { useRef } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Icon } from '../ui/icon';
import { Kbd } from '../ui/kbd';
import { useShortcut } from './shortcuts';

/** Filter of a list; `/` puts the focus here, Escape empties it and gives the focus back to the page. */
export function FilterField({
  value,
  onChange,
  placeholder,
  width = 250,
}: {
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  width?: number;
}) {
  const t = useTranslations('common.list');
  const field = useRef<HTMLInputElement>(null);
  useShortcut('/', () => {
    field.current?.focus();
    field.current?.select();
  });
  return (
    <search className="in soft filter" style={{ width }}>
      <Icon icon={Search} />
      <input
        ref={field}
        type="search"
        aria-label={placeholder}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          if (value) onChange('');
          else event.currentTarget.blur();
        }}
      />
      {value ? (
        <button type="button" className="clr" aria-label={t('clearFilter')} onClick={() => onChange('')}>
          <Icon icon={X} />
        </button>
      ) : (
        <Kbd>/</Kbd>
      )}
    </search>
  );
}
