import clsx from 'clsx';
import type { LucideIcon } from 'lucide-react';
import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { Icon } from './icon';
import { Spinner } from './spinner';
import { Tooltip } from './tooltip';

type Look = {
  /** One primary a region; `danger` only as the confirm button of a destructive dialog. */
  variant?: 'default' | 'primary' | 'quiet' | 'danger';
  size?: 'md' | 'sm';
  icon?: LucideIcon | undefined;
};

function buttonClass({ variant = 'default', size = 'md' }: Look, className?: string) {
  return clsx(
    'btn',
    variant === 'primary' && 'pri',
    variant === 'quiet' && 'quiet',
    variant === 'danger' && 'danger',
    size === 'sm' && 'sm',
    className,
  );
}

export type ButtonProps = Look & {
  /** A request is under way: shows a spinner and takes no second press. */
  busy?: boolean;
  /** What a press does while it is disabled, where that is something. */
  whenOff?: () => void;
} & ComponentProps<'button'>;

export function Button({ variant, size, icon, busy, whenOff, className, children, onClick, ...rest }: ButtonProps) {
  const off = busy || rest['aria-disabled'] === true || rest['aria-disabled'] === 'true';
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      className={buttonClass({ ...(variant && { variant }), ...(size && { size }) }, className)}
      onClick={(event) => {
        if (!off) return onClick?.(event);
        event.preventDefault();
        whenOff?.();
      }}
    >
      {busy ? <Spinner /> : icon ? <Icon icon={icon} /> : null}
      {children}
    </button>
  );
}

export function ButtonLink({ variant, size, icon, className, children, ...rest }: Look & ComponentProps<typeof Link>) {
  return (
    <Link {...rest} className={buttonClass({ ...(variant && { variant }), ...(size && { size }) }, className)}>
      {icon ? <Icon icon={icon} /> : null}
      {children}
    </Link>
  );
}

/** A button of one icon; its label is read aloud and shown on hover and focus. */
export function IconButton({
  label,
  hint,
  icon,
  large,
  className,
  ...rest
}: { label: string; hint?: ReactNode; icon: LucideIcon; large?: boolean } & ComponentProps<'button'>) {
  return (
    <Tooltip content={hint ?? label}>
      <button type="button" aria-label={label} {...rest} className={clsx('btn quiet ico', className)}>
        <Icon icon={icon} large={large ?? false} />
      </button>
    </Tooltip>
  );
}
