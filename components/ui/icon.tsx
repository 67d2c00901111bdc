import clsx from 'clsx';
import type { LucideIcon } from 'lucide-react';

/** Tones of tokens.css. Colour of a state's phase or of a severity, never decoration. */
export type Tone = 'ok' | 'info' | 'attention' | 'breach' | 'paused' | 'upgrade' | 'recycle' | 'unknown';

/** A lucide icon in the size and stroke of the look. Decorative: the text beside it speaks. */
export function Icon({
  icon: Shape,
  tone,
  large,
  className,
}: {
  icon: LucideIcon;
  tone?: Tone | undefined;
  large?: boolean;
  className?: string | undefined;
}) {
  return <Shape className={clsx('i', large && 'lg', className)} data-tone={tone} aria-hidden="true" />;
}
