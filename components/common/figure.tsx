import clsx from 'clsx';
import type { LucideIcon } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Icon } from '../ui/icon';

/** `worst` fills the figure red: at most one on a screen. `none`: there are no data. */
export type FigureLevel = 'calm' | 'warn' | 'act' | 'worst' | 'none';

export type FigureProps = {
  label: ReactNode;
  value: ReactNode;
  unit?: ReactNode;
  note?: ReactNode;
  level?: FigureLevel;
  icon?: LucideIcon;
  /** Every number leads to the list it counts. */
  href: string;
};

function Figure({ label, value, unit, note, level = 'calm', icon, href }: FigureProps) {
  const loud = level === 'act' || level === 'worst';
  const tone = loud ? 'breach' : level === 'warn' ? 'attention' : undefined;
  return (
    <Link
      className={clsx(
        'fig',
        loud && 'act',
        level === 'worst' && 'worst',
        level === 'warn' && 'warn',
        level === 'none' && 'nodata',
      )}
      href={href}
    >
      <span className="fl">
        {icon && tone ? <Icon icon={icon} tone={tone} /> : null}
        {label}
      </span>
      <span className="fv">
        {level === 'none' ? '–' : value} {unit ? <small>{unit}</small> : null}
      </span>
      <span className="fn">{note ?? '\u00a0'}</span>
    </Link>
  );
}

/** The row of figures under a page's title. */
export function FigureStrip({ label, figures }: { label: string; figures: readonly (FigureProps & { id: string })[] }) {
  return (
    <nav className="strip" aria-label={label} data-n={figures.length}>
      {figures.map(({ id, ...figure }) => (
        <Figure key={id} {...figure} />
      ))}
    </nav>
  );
}
