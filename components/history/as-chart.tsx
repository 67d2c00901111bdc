'use client';

import type { ReactNode } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { ScrollArea, Segmented } from '../ui';

const views = ['chart', 'table'] as const;
export type ChartView = (typeof views)[number];

/** Switches between a chart and the table of the same figures. */
export function ChartSwitch({
  label,
  value,
  onChange,
}: {
  label: string;
  value: ChartView;
  onChange: (view: ChartView) => void;
}) {
  const t = useTranslations('timing');
  return (
    <Segmented
      label={t('view', { label })}
      value={value}
      onChange={onChange}
      options={views.map((view) => ({ value: view, label: t(view) }))}
    />
  );
}

/** The table of a chart: reachable and scrollable by keyboard. */
export function FigureTable({
  label,
  heads,
  words = 0,
  children,
}: {
  label: string;
  heads: readonly string[];
  /** The last so many columns hold words; the others, but for the row heads, numbers. */
  words?: number;
  children: ReactNode;
}) {
  return (
    <ScrollArea className="tc-table" label={label}>
      <table className="tbl">
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={head} scope="col" className={index === 0 || index >= heads.length - words ? undefined : 'num'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollArea>
  );
}

/** A place on a track, as a share of its width. */
export const at = (share: number) => `${(share * 100).toFixed(2)}%`;
