import { Command } from 'cmdk';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../ui/icon';

/** One line of the palette. */
export function PaletteItem({
  value,
  icon,
  hint,
  onSelect,
  children,
}: {
  value: string;
  icon?: LucideIcon;
  hint?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item className="mi" value={value} onSelect={onSelect}>
      {icon ? <Icon icon={icon} /> : null}
      <span className="cut">{children}</span>
      {hint ? <span className="end dim sm nw">{hint}</span> : null}
    </Command.Item>
  );
}
