import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon, type Tone } from './icon';

/** A short fact beside a name. Healthy things have none. */
export function Tag({ tone, icon, children }: { tone?: Tone; icon?: LucideIcon; children: ReactNode }) {
  return (
    <span className="tag" data-tone={tone}>
      {icon ? <Icon icon={icon} /> : null}
      {children}
    </span>
  );
}
