'use client';

import clsx from 'clsx';
import { ChevronDown, ListFilter } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { Sheet } from '../ui/overlay';

export type FacetItem = {
  value: string;
  label: ReactNode;
  /** Rows that would remain with this value, the other facets as they are. */
  count: number;
  on: boolean;
};

/** One property to filter by. Beyond `limit` values the rest is folded; what is on always shows. */
export function FacetGroup({
  title,
  items,
  limit = 8,
  onToggle,
}: {
  title: string;
  items: readonly FacetItem[];
  limit?: number;
  onToggle: (value: string) => void;
}) {
  const t = useTranslations('common.facets');
  const f = useFormats();
  const [open, setOpen] = useState(true);
  const [all, setAll] = useState(false);
  if (items.length === 0) return null;
  const shown = all ? items : items.filter((item, index) => index < limit || item.on);
  const folded = items.length - shown.length;
  return (
    <section className="fac">
      <h2>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {title}
          <Icon icon={ChevronDown} />
        </button>
      </h2>
      {open ? (
        <ul>
          {shown.map((item) => (
            <li key={item.value}>
              <button
                type="button"
                className={clsx('fi', item.on && 'on', item.count === 0 && 'zero')}
                aria-pressed={item.on}
                onClick={() => onToggle(item.value)}
              >
                <span className="cut">{item.label}</span>
                <span className="n">{f.number(item.count)}</span>
              </button>
            </li>
          ))}
          {folded > 0 ? (
            <li>
              <button type="button" className="fi" onClick={() => setAll(true)}>
                <span className="dim">{t('more', { count: folded })}</span>
              </button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </section>
  );
}

/** Facets beside the list. Below 1180 px they are behind {@link FacetSheet}. */
export function FacetRail({ children }: { children: ReactNode }) {
  const t = useTranslations('common.facets');
  return (
    <aside className="facets" aria-label={t('label')}>
      {children}
    </aside>
  );
}

/** The same facets on narrow screens; `active` is how many are on. */
export function FacetSheet({ active, children }: { active: number; children: ReactNode }) {
  const t = useTranslations('common.facets');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={ListFilter} className="only-n" onClick={() => setOpen(true)}>
        {active > 0 ? t('buttonActive', { count: active }) : t('label')}
      </Button>
      <Sheet open={open} onOpenChange={setOpen} title={t('label')}>
        {children}
      </Sheet>
    </>
  );
}
